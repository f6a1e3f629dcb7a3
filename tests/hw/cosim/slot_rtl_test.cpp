// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// RTL and C++ parts in lock step under random inputs that a kernel seldom gives.
#include <gtest/gtest.h>

#include "hw/crossbar/allocators.h"
#include "hw/kmu/queue_picker.h"
#include "hw/memory_controller/request_schedulers.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/top/exchangeable_parts.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

class scheduler_rtl : public testing::TestWithParam<selection_policy> {};

TEST_P(scheduler_rtl, agrees_on_random_warps) {
    slot_rig rig;
    warp_scheduler_configuration configuration;
    configuration.scheduler = GetParam();
    const auto part = rig.maker(exchangeable_parts().warp_scheduler, slot_implementation::shadow)
                          .make({configuration, ~std::uint64_t{0}}, "gpu.scheduler");
    random_stream random(1, "scheduler_rtl");
    std::uint64_t resident = 0;
    for (int cycle = 0; cycle < 20000; ++cycle) {
        rig.clock.now = static_cast<std::uint64_t>(cycle);
        selection_inputs in;
        // Long times in which a few warps only complete and none ends: the counters of the others
        // reach their ends, so that several of the group are equally old.
        const bool few = cycle / 500 % 2 != 0;
        const std::uint64_t ended = resident & random.next() & random.next() & random.next() &
                                    random.next() & random.next() & random.next();
        if (!few) resident &= ~ended;
        in.started = ~resident & random.next() & random.next() & random.next();
        resident |= in.started;
        in.resident = resident;
        in.ready = resident & ~in.started & random.next();
        in.issuable = in.ready & random.next();
        // Seldom a memory instruction: it would issue before any warp of the group.
        in.memory = random.below(4) == 0 ? resident & random.next() : 0;
        in.memory_done = random.next() & random.next() & random.next() & random.next();
        if (few) in.memory_done = random.next() & 0x3U;
        in.cycle = rig.clock.now;
        (void)part->decide(in);
        part->clock_edge();
        ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
    }
}

INSTANTIATE_TEST_SUITE_P(policies, scheduler_rtl,
                         testing::Values(selection_policies::key<loose_round_robin>,
                                         selection_policies::key<greedy_then_oldest>,
                                         selection_policies::key<memory_then_recent>),
                         [](const auto& info) { return selection_policies::name(info.param); });

TEST(allocator_rtl, agrees_on_random_requests) {
    random_stream random(1, "allocator_rtl");
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

TEST(picker_rtl, agrees_on_random_requests) {
    constexpr std::uint32_t banks = 8;
    const protocol::dram_timing sheet;
    memory_controller_configuration configuration;
    configuration.queue = 48;
    configuration.age_limit = 300;
    slot_rig rig;
    const auto part = rig.maker(exchangeable_parts().dram_scheduler, slot_implementation::shadow)
                          .make(configuration, "gpu.memory_controller_0.scheduler");
    random_stream random(1, "picker_rtl");
    channel_timing timing{sheet, banks, 4};
    request_queue queue(configuration.queue, banks);
    std::uint64_t hits = 0, late = 0;
    for (std::uint64_t now = 0; now < 20'000; ++now) {
        rig.clock.now = now;
        if (!queue.full() && random.below(3) != 0) {
            const auto bank = static_cast<std::uint32_t>(random.below(banks));
            const auto column = static_cast<std::uint32_t>(random.below(4));
            (void)queue.insert({0, bank, column, random.below(3), now, random.below(4) == 0});
        }
        scheduler_view view{queue, timing, random.next() & queue.used_banks(), random.below(4) == 0,
                            now};
        const request_queue::index at = part->pick(view);
        ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
        if (at == request_queue::none || random.below(2) == 0) continue;
        const request_queue::entry& picked = queue[at];
        hits += timing.open_row(picked.bank) == picked.row;
        late += now - picked.arrival > configuration.age_limit;
        if (timing.open_row(picked.bank) != picked.row) {
            if (timing.open_row(picked.bank) != channel_timing::closed) {
                timing.issue(protocol::dram_command::precharge, picked.bank, 0, now);
            }
            // Now and then the bank stays closed.
            if (random.below(8) != 0) {
                timing.issue(protocol::dram_command::activate, picked.bank, picked.row, now);
            }
        }
        queue.remove(at);
    }
    EXPECT_GT(hits, 1000U);
    EXPECT_GT(late, 100U) << "requests older than the limit are met";
}

TEST(queue_picker_rtl, agrees_on_random_queues) {
    slot_rig rig;
    const auto part = rig.maker(exchangeable_parts().queue_picker, slot_implementation::shadow)
                          .make({}, "gpu.kmu.queue_picker");
    random_stream random(1, "queue_picker_rtl");
    for (int cycle = 0; cycle < 20'000; ++cycle) {
        std::uint64_t ready = random.next() & random.next();
        if (cycle % 2 != 0) ready &= random.next() & random.next();
        if (ready == 0) continue;
        (void)part->decide({ready});
        if (random.below(4) != 0) part->clock_edge();
        ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
    }
}

}  // namespace
}  // namespace heddle
