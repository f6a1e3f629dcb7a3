// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// RTL and C++ parts in lock step under random inputs that a kernel seldom gives.
#include <gtest/gtest.h>

#include "hw/crossbar/allocators.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/top/exchangeable_parts.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

class scheduler_twin : public testing::TestWithParam<selection_policy> {};

TEST_P(scheduler_twin, agrees_on_random_warps) {
    slot_rig rig;
    warp_scheduler_configuration configuration;
    configuration.scheduler = GetParam();
    const auto part = rig.maker(exchangeable_parts().warp_scheduler, slot_implementation::shadow)
                          .make({configuration, ~std::uint64_t{0}}, "gpu.scheduler");
    random_stream random(1, "scheduler_twin");
    std::uint64_t resident = 0;
    for (int cycle = 0; cycle < 20000; ++cycle) {
        rig.clock.now = static_cast<std::uint64_t>(cycle);
        selection_inputs in;
        const std::uint64_t ended = resident & random.next() & random.next() & random.next() &
                                    random.next() & random.next() & random.next();
        resident &= ~ended;
        in.started = ~resident & random.next() & random.next() & random.next();
        resident |= in.started;
        in.resident = resident;
        in.ready = resident & ~in.started & random.next();
        in.issuable = in.ready & random.next();
        in.memory = resident & random.next();
        // Long times in which a few warps only complete: counters of the others reach their ends.
        const bool few = cycle / 500 % 2 != 0;
        in.memory_done = random.next() & (few ? 0x3U : random.next() & random.next());
        in.cycle = rig.clock.now;
        (void)part->decide(in);
        part->clock_edge();
        ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
    }
}

INSTANTIATE_TEST_SUITE_P(policies, scheduler_twin,
                         testing::Values(selection_policies::key<loose_round_robin>,
                                         selection_policies::key<greedy_then_oldest>,
                                         selection_policies::key<memory_then_recent>),
                         [](const auto& info) { return selection_policies::name(info.param); });

TEST(allocator_twin, agrees_on_random_requests) {
    random_stream random(1, "allocator_twin");
    for (int round = 0; round < 40; ++round) {
        slot_rig rig;
        const auto rows = static_cast<std::uint32_t>(1 + random.below(32));
        const auto columns = static_cast<std::uint32_t>(1 + random.below(32));
        const auto part =
            rig.maker(exchangeable_parts().crossbar_allocator, slot_implementation::shadow)
                .make({allocators::key<input_first_allocator>, {rows, columns, 1}},
                      "gpu.allocator_" + std::to_string(round));
        for (int cycle = 0; cycle < 200; ++cycle) {
            request_matrix requests(rows, columns);
            const std::uint64_t density = 1 + random.below(8);
            for (std::uint32_t row = 0; row < rows; ++row) {
                for (std::uint32_t column = 0; column < columns; ++column) {
                    if (random.below(8) < density) requests.insert(row, column);
                }
            }
            (void)part->decide(requests);
            part->clock_edge();
            ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
        }
    }
}

}  // namespace
}  // namespace heddle
