// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The C++ parts behind the ports of their RTL, and the RTL itself, get the same random inputs.
#include "hw/cosim/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "hw/cosim/crossbar_allocator_ports.h"
#include "hw/cosim/dram_scheduler_ports.h"
#include "hw/cosim/group_allocator_ports.h"
#include "hw/cosim/kde_chain_ports.h"
#include "hw/cosim/queue_picker_ports.h"
#include "hw/cosim/reference_functions.h"
#include "hw/cosim/warp_scheduler_ports.h"
#include "hw/protocol/group_index.h"
#include "models/base/bits.h"
#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle::cosim {
namespace {

/// Both, at the ports.
template <class Call>
struct pair {
    template <std::size_t Count>
    pair(const char* slot, std::unique_ptr<rtl_model> module,
         const port_field<Call> (&fields)[Count])
        : reference(make_reference(slot)), rtl(std::move(module)), ports(fields) {}

    void set(const Call& call) {
        ports.pack(call, reference->inputs());
        ports.pack(call, rtl->inputs());
    }
    void reset(const Call& call) {
        set(call);
        reference->reset();
        rtl->reset();
    }
    /// What both answer; they differ: a failure.
    Call decide(Call call) {
        set(call);
        reference->evaluate();
        rtl->evaluate();
        std::size_t at = 0;
        for (const port_shape& port : ports.shapes()) {
            if (port.way == port_direction::input) continue;
            for (unsigned n = 0; n < port.elements; ++n, at += port.width) {
                EXPECT_EQ(get_bits(rtl->outputs(), at, port.width),
                          get_bits(reference->outputs(), at, port.width))
                    << port.name << "[" << n << "]";
            }
        }
        ports.unpack(rtl->outputs(), call);
        return call;
    }
    void clock(const Call& call) {
        set(call);
        reference->clock();
        rtl->clock();
    }

    std::unique_ptr<rtl_model> reference;
    std::unique_ptr<rtl_model> rtl;
    port_table<Call> ports;
};

TEST(slot_reference, queue_picker_is_the_rtl) {
    pair<queue_picker_call> both("queue_picker", make_queue_picker_rtl(), queue_picker_ports);
    random_stream random(1, "reference");
    both.reset({});
    for (int step = 0; step < 5000 && !testing::Test::HasFailure(); ++step) {
        queue_picker_call call;
        call.ready = random.next() & random.next() & random.next();
        if (call.ready == 0) continue;
        both.decide(call);
        if (random.below(3) != 0) both.clock(call);
    }
}

TEST(slot_reference, allocator_is_the_rtl_with_any_seeds) {
    random_stream random(1, "reference");
    for (int round = 0; round < 30; ++round) {
        pair<crossbar_allocator_call> both("crossbar_allocator", make_crossbar_allocator_rtl(),
                                           crossbar_allocator_ports);
        crossbar_allocator_call call;
        call.rows = static_cast<std::uint8_t>(1 + random.below(32));
        call.columns = static_cast<std::uint8_t>(1 + random.below(32));
        for (auto& seed : call.row_seed) seed = static_cast<std::uint32_t>(random.next());
        for (auto& seed : call.column_seed) seed = static_cast<std::uint32_t>(random.next());
        call.row_seed[0] = 0;  // both take 1 for it
        both.reset(call);
        for (int step = 0; step < 100; ++step) {
            for (unsigned row = 0; row < call.rows; ++row) {
                call.request[row] = static_cast<std::uint32_t>(random.next() & random.next() &
                                                               bits::below(call.columns));
            }
            both.decide(call);
            if (random.below(4) != 0) both.clock(call);
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << round;
    }
}

TEST(slot_reference, dram_scheduler_is_the_rtl) {
    pair<dram_scheduler_call> both("dram_scheduler", make_dram_scheduler_rtl(),
                                   dram_scheduler_ports);
    random_stream random(1, "reference");
    unsigned found = 0;
    for (int step = 0; step < 1000 && !testing::Test::HasFailure(); ++step) {
        dram_scheduler_call call;
        call.open = random.below(4) != 0;
        call.open_row = static_cast<std::uint32_t>(random.below(3));
        // Also across the end of the 32 bits.
        call.now = static_cast<std::uint32_t>(random.below(2000)) - 1000;
        call.age_limit = 300;
        std::uint32_t age = 0;
        for (unsigned n = dram_scheduler_call::most; n-- > 0;) {
            call.candidate[n] = random.below(16) == 0;
            call.row[n] = static_cast<std::uint32_t>(random.below(3));
            call.arrival[n] = call.now - age;
            age += static_cast<std::uint32_t>(random.below(6));
        }
        found += both.decide(call).found;
    }
    EXPECT_GT(found, 900U);
}

class scheduler_reference : public testing::TestWithParam<std::uint8_t> {};

TEST_P(scheduler_reference, is_the_rtl_event_by_event) {
    pair<warp_scheduler_call> both("warp_scheduler", make_warp_scheduler_rtl(),
                                   warp_scheduler_ports);
    random_stream random(1, "reference");
    warp_scheduler_call call;
    call.policy = GetParam();
    both.reset(call);
    std::uint64_t live = 0;
    for (int step = 0; step < 20'000 && !testing::Test::HasFailure(); ++step) {
        call.issuable = live & random.next();
        call.memory = random.below(4) == 0 ? live & random.next() : 0;
        const warp_scheduler_call said = both.decide(call);
        warp_scheduler_call edge = call;
        edge.issued = said.valid && random.below(2) == 0;
        edge.issued_warp = said.warp;
        edge.event_warp = static_cast<std::uint8_t>(random.below(64));
        const std::uint64_t slot = std::uint64_t{1} << edge.event_warp;
        const std::uint64_t kind = random.below(8);
        if ((live & slot) == 0) {
            edge.event = warp_event::started;
            live |= slot;
        } else if (kind == 0 && !(edge.issued && edge.issued_warp == edge.event_warp)) {
            edge.event = warp_event::gone;
            live &= ~slot;
        } else if (kind < 5) {
            edge.event = warp_event::completed;
        }
        both.clock(edge);
    }
}

/// What no proof covers, the order of age and the recency group: all sequences of six steps with
/// three slots, and after each every set of warps that could issue.
TEST_P(scheduler_reference, is_the_rtl_in_all_short_runs_of_three_slots) {
    constexpr unsigned slots = 3, steps = 6, choices = 2 * slots + 1;
    pair<warp_scheduler_call> both("warp_scheduler", make_warp_scheduler_rtl(),
                                   warp_scheduler_ports);
    unsigned sequences = 1;
    for (unsigned step = 0; step < steps; ++step) sequences *= choices;
    for (unsigned sequence = 0; sequence < sequences; ++sequence) {
        warp_scheduler_call call;
        call.policy = GetParam();
        both.reset(call);
        std::uint64_t live = 0;
        for (unsigned step = 0, left = sequence; step < steps; ++step, left /= choices) {
            const unsigned choice = left % choices;
            warp_scheduler_call edge = call;
            edge.issuable = live;
            if (choice == 2 * slots) {
                const warp_scheduler_call said = both.decide(edge);
                edge.issued = said.valid;
                edge.issued_warp = said.warp;
            } else {
                edge.event_warp = static_cast<std::uint8_t>(choice % slots);
                const std::uint64_t slot = std::uint64_t{1} << edge.event_warp;
                edge.event = choice >= slots      ? warp_event::completed
                             : (live & slot) != 0 ? warp_event::gone
                                                  : warp_event::started;
                if (choice < slots) live ^= slot;
            }
            both.clock(edge);
        }
        for (std::uint64_t set = 1; set < std::uint64_t{1} << slots; ++set) {
            if ((set & ~live) != 0) continue;
            call.issuable = set;
            for (const std::uint64_t memory : {std::uint64_t{0}, set}) {
                call.memory = memory;
                both.decide(call);
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "sequence " << sequence;
    }
}

INSTANTIATE_TEST_SUITE_P(policies, scheduler_reference, testing::Values(0, 1, 2));

TEST(slot_reference, kde_chain_is_the_rtl_clock_by_clock) {
    pair<kde_chain_call> both("kde_chain", make_kde_chain_rtl(), kde_chain_ports);
    random_stream random(1, "reference");
    kde_chain_call call;
    call.entries = 5;
    both.reset(call);
    for (std::uint32_t step = 0; step < 10'000 && !testing::Test::HasFailure(); ++step) {
        call.operation = static_cast<chain_operation>(random.below(4));
        call.rank = static_cast<std::uint32_t>(random.below(3));
        call.stays = random.below(2) == 0;
        const bool ends = call.operation == chain_operation::advance && random.below(3) == 0;
        call.group = ends ? null_group.bits() : step;
        // Of a kernel also entries that do not exist.
        const bool starts = call.operation == chain_operation::start;
        call.entry = static_cast<std::uint8_t>(random.below(starts ? 7 : 5));
        both.decide(call);
        if (random.below(4) != 0) both.clock(call);
    }
}

TEST(slot_reference, group_allocator_is_the_rtl_clock_by_clock) {
    pair<group_allocator_call> both("group_allocator", make_group_allocator_rtl(),
                                    group_allocator_ports);
    random_stream random(1, "reference");
    group_allocator_call call;
    call.mask = 7;
    both.reset(call);
    struct entry {
        bool used = false, exhausted = false;
        unsigned running = 0;
    };
    std::array<entry, 8> entries{};
    for (int step = 0; step < 20'000 && !testing::Test::HasFailure(); ++step) {
        call.operation = static_cast<group_operation>(random.below(5));
        call.thread = static_cast<std::uint16_t>(random.below(4096));
        call.entry = static_cast<std::uint16_t>(random.below(8));
        const bool allocates = call.operation == group_operation::allocate;
        const bool ends = call.operation == group_operation::end_block;
        const entry& before = entries[call.entry];
        if (!allocates && (!before.used || (ends ? before.running == 0 : before.exhausted))) {
            call.operation = group_operation::none;
        }
        const group_allocator_call said = both.decide(call);
        if (random.below(4) == 0) continue;
        both.clock(call);
        entry& e = entries[said.index];
        if (said.granted) e.used = true;
        if (call.operation == group_operation::start_block) ++e.running;
        if (call.operation == group_operation::end_block) --e.running;
        if (call.operation == group_operation::exhaust) e.exhausted = true;
        if (said.released) e = {};
    }
}

TEST(slot_reference, functions_reach_each_port_by_its_bits) {
    void* const part = heddle_reference_create("crossbar_allocator");
    ASSERT_NE(part, nullptr);
    const std::uint32_t size = 3;
    const std::uint32_t seed = 7;
    std::uint32_t granted = 0;
    heddle_reference_put(part, 0, 6, &size);
    heddle_reference_put(part, 6, 6, &size);
    for (unsigned n = 0; n < 64; ++n) heddle_reference_put(part, 12 + 32 * n, 32, &seed);
    heddle_reference_reset(part);
    const std::uint32_t request = 0b100;
    heddle_reference_put(part, 12 + 32 * 64 + 32 * 2, 32, &request);
    heddle_reference_decide(part);
    heddle_reference_get(part, 0, 32, &granted);
    EXPECT_EQ(granted, 0b100U);
    heddle_reference_get(part, 32 + 5 * 2, 5, &granted);
    EXPECT_EQ(granted, 2U) << "the column of row 2";
    heddle_reference_destroy(part);
}

TEST(slot_reference, an_unknown_slot_is_refused) {
    EXPECT_THROW(make_reference("formation"), configuration_error);
    testing::internal::CaptureStderr();
    EXPECT_EQ(heddle_reference_create("formation"), nullptr);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("slot 'formation' has no reference"),
              std::string::npos);
}

}  // namespace
}  // namespace heddle::cosim
