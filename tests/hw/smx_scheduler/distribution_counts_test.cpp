// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/distribution_counts.h"

#include <gmock/gmock.h>

#include <string>

namespace heddle {
namespace {

std::uint64_t at(const distribution_counts& counts, std::uint64_t edge, const std::string& name) {
    statistics all;
    counts.collect(all, "s", edge);
    return std::get<std::uint64_t>(all.find(name)->value);
}

TEST(distribution_counts, charge_the_cycles_since_a_stall_to_its_reason) {
    distribution_counts counts;
    counts.begin_cycle(3);
    counts.stalled(block_limit::registers);
    EXPECT_EQ(counts.stall(), block_limit::registers);
    EXPECT_EQ(at(counts, 3, "s.stall_registers"), 0U);
    EXPECT_EQ(at(counts, 9, "s.stall_registers"), 6U) << "the owner sleeps";
    counts.begin_cycle(10);
    EXPECT_EQ(counts.stall(), block_limit::none);
    EXPECT_EQ(at(counts, 15, "s.stall_registers"), 7U);
    counts.begin_cycle(20);
    counts.stalled(block_limit::handshake);
    counts.begin_cycle(21);
    EXPECT_EQ(at(counts, 30, "s.stall_handshake"), 1U);
    EXPECT_EQ(at(counts, 30, "s.stall_registers"), 7U);
}

TEST(distribution_counts, follow_blocks_from_their_dispatch_to_their_end) {
    distribution_counts counts;
    statistics none;
    counts.collect(none, "s", 5);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(none.find("s.first_dispatch")->value));
    counts.dispatched(10, 1);
    counts.dispatched(14, 2);
    counts.finished(20, 1);
    EXPECT_EQ(at(counts, 30, "s.blocks"), 2U);
    EXPECT_EQ(at(counts, 30, "s.first_dispatch"), 10U);
    EXPECT_EQ(at(counts, 30, "s.last_dispatch"), 14U);
    EXPECT_EQ(at(counts, 30, "s.blocks_finished"), 1U);
    EXPECT_EQ(counts.dispatched_blocks(), 2U);
    EXPECT_EQ(counts.finished_blocks(), 1U);
    EXPECT_EQ(counts.block_cycles(30), 4U + 2U * 6U + 10U);
}

TEST(distribution_counts, waiting_time_is_that_of_the_launches_that_have_started) {
    distribution_counts counts;
    counts.launch_started(100);
    counts.launch_started(50);
    EXPECT_EQ(counts.started_launches(), 2U);
    EXPECT_EQ(at(counts, 0, "launch.count"), 2U);
    statistics all;
    counts.collect(all, "s", 0);
    EXPECT_EQ(std::get<histogram>(all.find("launch.waiting_time")->value).sum(), 150U);
}

}  // namespace
}  // namespace heddle
