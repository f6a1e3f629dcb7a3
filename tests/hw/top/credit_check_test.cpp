// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/credit_check.h"

#include <gmock/gmock.h>

#include <numeric>

#include "hw/top/unloaded_latency.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::uint64_t needs(const gpu_configuration& machine, const std::string& key) {
    for (const credit_need& pool : credit_needs(machine)) {
        if (pool.key == key) return pool.needs;
    }
    ADD_FAILURE() << "no pool " << key;
    return 0;
}

std::vector<std::string> keys_of_warnings(const gpu_configuration& machine) {
    std::vector<std::string> keys;
    for (const credit_warning& warning : credit_warnings(machine)) keys.push_back(warning.key);
    return keys;
}

/// By hand: all clocks equal, 8 channels of 8 bytes a cycle, lines of 64 bytes.
TEST(credit_needs, of_g80_are_what_its_blocks_say) {
    const gpu_configuration g80 = configuration_of("g80");
    const std::vector<double> load = mean_unloaded_load(g80, load_level::closed_bank);
    const double cycles = std::accumulate(load.begin(), load.end(), 0.0);
    EXPECT_EQ(needs(g80, "lsu.outstanding"), std::ceil(8 * 8.0 / 16 * cycles / 64));
    EXPECT_EQ(needs(g80, "l1d.mshrs"), needs(g80, "lsu.outstanding"));
    // 3 flits of a line with its header, 9 of an atomic of 32 lanes.
    EXPECT_EQ(needs(g80, "crossbar.output_buffer"), 24U + 3 + 9 - 1);
    EXPECT_EQ(needs(g80, "l2.response_queue"), 30U / 3 + 1);
    const unsigned fetch = 1 + 12 + 4 * 2 + 9 + 2;  // to a closed bank, four column accesses
    EXPECT_EQ(needs(g80, "l2.mshrs"), (8U * fetch + 63) / 64);
    EXPECT_EQ(needs(g80, "l2.write_buffer"), needs(g80, "l2.mshrs"));
    EXPECT_EQ(needs(g80, "dram.response_queue"), (9 + 2 + 1) / 2U + 1);
}

TEST(credit_needs, grow_with_the_latency_that_holds_the_credits) {
    gpu_configuration machine = configuration_of("gk110");
    const std::uint64_t misses = needs(machine, "l2.mshrs");
    const std::uint64_t requests = needs(machine, "lsu.outstanding");
    machine.dram.back_latency += 1000;
    EXPECT_GT(needs(machine, "l2.mshrs"), misses + 50);
    EXPECT_GT(needs(machine, "lsu.outstanding"), requests + 50);
    machine = configuration_of("gk110");
    machine.crossbar.latency += 100;
    EXPECT_EQ(needs(machine, "crossbar.output_buffer"),
              needs(configuration_of("gk110"), "crossbar.output_buffer") + 100);
}

TEST(credit_warnings, name_the_key_where_one_credit_is_missing) {
    gpu_configuration machine = configuration_of("gk110");
    EXPECT_THAT(keys_of_warnings(machine), IsEmpty());
    machine.l2.mshrs = static_cast<std::uint32_t>(needs(machine, "l2.mshrs"));
    EXPECT_THAT(keys_of_warnings(machine), IsEmpty());
    --machine.l2.mshrs;
    EXPECT_THAT(keys_of_warnings(machine), ElementsAre("l2.mshrs"));
    const std::string text = credit_warnings(machine).front().text;
    EXPECT_THAT(text, testing::StartsWith(std::to_string(machine.l2.mshrs) + " is too few"));
    EXPECT_THAT(text, testing::EndsWith(std::to_string(machine.l2.mshrs + 1)));
}

/// Its queues overflow on purpose.
TEST(credit_warnings, tell_that_tiny_is_too_small) {
    EXPECT_THAT(keys_of_warnings(configuration_of("tiny")),
                ElementsAre("l1d.mshrs", "crossbar.output_buffer", "l2.mshrs", "l2.write_buffer"));
}

class configurations : public testing::TestWithParam<std::string> {};

TEST_P(configurations, have_the_credits_that_their_latencies_need) {
    EXPECT_THAT(keys_of_warnings(configuration_of(GetParam())), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(credit_check, configurations,
                         testing::Values("g80", "gf100", "gk110", "si", "iris6100"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace heddle
