// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The stateful parts of the SMX's pipeline, each alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <vector>

#include "hw/smx/issue/barrier_waits.h"
#include "hw/smx/lsu/queue/due_ring.h"
#include "hw/smx/pipeline/cycle_account.h"
#include "hw/smx/pipeline/event_wheel.h"
#include "hw/smx/pipeline/execution_units.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/pipeline/operand_collector.h"
#include "hw/smx/pipeline/register_file.h"
#include "hw/smx/pipeline/scoreboard.h"
#include "hw/smx/pipeline/warp_states.h"
#include "models/base/configuration.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "models/program/address_map.h"

namespace heddle {
namespace {

using isa::instruction;

instruction word(std::uint32_t raw) {
    return isa::decode(raw);
}
constexpr std::uint32_t add_x3_x1_x2 = 0x002081b3;
constexpr std::uint32_t lw_x5_x1 = 0x0000a283;
constexpr std::uint32_t sw_x2_x1 = 0x0020a023;
constexpr std::uint32_t jal_x0 = 0x0000006f;
constexpr std::uint32_t beq_x1_x2 = 0x00208063;
constexpr std::uint32_t csrrwi_x4_frm_7 = 0x0023d273;
constexpr std::uint32_t amocas_x7_x2_x1 = 0x2820a3af;

TEST(smx_scoreboard, guards_sources_and_destination) {
    scoreboard board;
    const register_mask operands = register_bit(1) | register_bit(2) | register_bit(3);
    EXPECT_FALSE(board.blocked(5, operands));
    board.set(5, 3);
    EXPECT_TRUE(board.blocked(5, operands));  // WAW
    EXPECT_FALSE(board.blocked(6, operands)) << "warps share nothing";
    EXPECT_FALSE(board.waits_for_memory(5, operands));
    board.set_memory(5, 1);  // RAW
    EXPECT_TRUE(board.waits_for_memory(5, operands));
    board.clear(5, 1);
    EXPECT_TRUE(board.blocked(5, operands));
    EXPECT_FALSE(board.waits_for_memory(5, operands));
    board.clear(5, 3);
    EXPECT_FALSE(board.blocked(5, operands));
    board.set(5, isa::sink_register);
    EXPECT_FALSE(board.blocked(5, operands));
    board.reset(5);
    EXPECT_EQ(board.pending(5), 0u);
}

TEST(smx_operands, registers_of_one_bank_are_read_one_after_another) {
    const auto cycles = [](std::initializer_list<unsigned> registers, unsigned banks) {
        register_mask mask = 0;
        for (const unsigned r : registers) mask |= register_bit(r);
        return extra_read_cycles(mask, banks);
    };
    EXPECT_EQ(cycles({}, 4), 0u);
    EXPECT_EQ(cycles({1, 2, 3}, 4), 0u);
    EXPECT_EQ(cycles({1, 5}, 4), 1u);
    EXPECT_EQ(cycles({1, 5, 9}, 4), 2u);
    EXPECT_EQ(cycles({1, 5, 9}, 1), 2u);
    EXPECT_EQ(cycles({7, 7}, 1), 0u) << "one register is read once";
    EXPECT_EQ(cycles({1, 5, 9}, 64), 0u);
}

TEST(smx_issue_table, counts_what_follows_up_to_where_fetch_ends) {
    program::kernel_code code;
    const auto add = [&](std::uint32_t encoding, unsigned times) {
        code.instructions.insert(code.instructions.end(), times, word(encoding));
    };
    add(add_x3_x1_x2, 2);
    add(beq_x1_x2, 1);
    add(jal_x0, 1);
    add(lw_x5_x1, 300);
    issue_table table;
    code.base = program::code_window.base;
    code.flags.resize(304);
    table.add(code, smx_configuration{});
    ASSERT_EQ(table.size(), 304U);
    EXPECT_EQ(table[0].run, 3);
    EXPECT_EQ(table[1].run, 2);
    EXPECT_EQ(table[2].run, 1) << "the branch";
    EXPECT_EQ(table[3].run, 1) << "the jump";
    EXPECT_EQ(table[4].run, 255) << "as far as it counts";
    EXPECT_EQ(table[302].run, 2);
    EXPECT_EQ(table[303].run, 1) << "the end of the code";

    program::kernel_code behind;
    behind.base = code.base + 4 * 310;
    behind.instructions.assign(3, word(add_x3_x1_x2));
    behind.flags.resize(3);
    table.add(behind, smx_configuration{});
    ASSERT_EQ(table.size(), 313U) << "by address";
    EXPECT_EQ(table[310].run, 3);
    EXPECT_EQ(table[304].run, 1) << "between the programs";
    EXPECT_EQ(table[0].run, 3) << "the first program stays";
}

TEST(smx_issue_table, knows_operands_units_and_where_fetch_ends) {
    smx_configuration configuration;
    configuration.register_banks = 1;
    const issue_info add = describe_issue(word(add_x3_x1_x2), configuration);
    EXPECT_EQ(add.operands, register_bit(1) | register_bit(2) | register_bit(3));
    EXPECT_EQ(add.unit, unit_class::integer);
    EXPECT_EQ(add.extra_read_cycles, 1u);
    EXPECT_FALSE(add.ends_fetch);
    const issue_info load = describe_issue(word(lw_x5_x1), configuration);
    EXPECT_EQ(load.operands, register_bit(1) | register_bit(5));
    EXPECT_EQ(load.unit, unit_class::memory);
    EXPECT_EQ(describe_issue(word(sw_x2_x1), configuration).operands,
              register_bit(1) | register_bit(2));
    EXPECT_TRUE(describe_issue(word(jal_x0), configuration).ends_fetch);
    EXPECT_EQ(describe_issue(word(jal_x0), configuration).operands, 0u);
    EXPECT_TRUE(describe_issue(word(beq_x1_x2), configuration).ends_fetch);
    EXPECT_EQ(describe_issue(word(csrrwi_x4_frm_7), configuration).operands, register_bit(4))
        << "the immediate is no register";
    EXPECT_EQ(describe_issue(word(amocas_x7_x2_x1), configuration).operands,
              register_bit(1) | register_bit(2) | register_bit(7));
    const instruction exit = [] {
        instruction i;
        i.op = isa::opcode::exit;
        i.cls = isa::instruction_class::simt_control;
        return i;
    }();
    EXPECT_TRUE(describe_issue(exit, configuration).ends_fetch);
    EXPECT_EQ(describe_issue(exit, configuration).operands, ~register_bit(0));
    configuration.barrel = true;
    EXPECT_EQ(describe_issue(word(add_x3_x1_x2), configuration).operands, ~register_bit(0));
}

TEST(smx_units, an_input_is_taken_for_the_interval) {
    smx_configuration configuration;
    configuration.units[static_cast<std::size_t>(unit_class::divide)] = {2, 20, 5};
    execution_units units(configuration);
    const std::uint32_t divide = 1u << static_cast<unsigned>(unit_class::divide);
    EXPECT_EQ(units.accepting(100), execution_units::all_units);
    EXPECT_EQ(units.next_free(100), execution_units::never);
    units.take(unit_class::divide, 0, 100, 0);
    EXPECT_EQ(units.accepting(100) & divide, divide) << "a second one of the class is free";
    units.take(unit_class::divide, 0, 100, 3);
    EXPECT_EQ(units.accepting(100) & divide, 0u);
    EXPECT_EQ(units.next_free(100), 105u);
    EXPECT_EQ(units.accepting(104) & divide, 0u);
    EXPECT_EQ(units.accepting(105) & divide, divide);
    units.take(unit_class::divide, 0, 105, 0);
    EXPECT_EQ(units.accepting(107) & divide, 0u) << "conflicts keep the other one until 108";
    EXPECT_EQ(units.accepting(108) & divide, divide);
    EXPECT_EQ(units.accepting(105) | divide, execution_units::all_units) << "others never closed";
}

TEST(smx_units, a_pipeline_is_taken_by_all_its_classes_but_memory) {
    smx_configuration configuration;
    configuration.scheduler_pipeline = true;
    configuration.units[static_cast<std::size_t>(unit_class::divide)] = {4, 20, 5};
    execution_units units(configuration);
    units.take(unit_class::memory, 1, 100, 0);
    EXPECT_FALSE(units.pipeline_busy(1, 100));
    units.take(unit_class::divide, 1, 100, 2);
    EXPECT_TRUE(units.pipeline_busy(1, 106));
    EXPECT_FALSE(units.pipeline_busy(1, 107));
    EXPECT_FALSE(units.pipeline_busy(0, 100)) << "another scheduler's";
    EXPECT_EQ(units.accepting(101), execution_units::all_units);
    EXPECT_EQ(units.next_free(101), 107u) << "no class is full, a pipeline is";
    EXPECT_EQ(units.next_free(107), execution_units::never);
}

TEST(smx_barriers, warps_go_on_when_the_latency_has_passed) {
    warp_waits waits;
    barrier_waits barriers(2, 35, waits);
    const auto waiting = [&] { return waits.in<warp_state::waits_at_barrier>(); };
    for (const unsigned warp : {0U, 1U, 5U}) waits.begin(wait_reason::barrier, warp);
    EXPECT_EQ(barriers.next_due(), ~std::uint64_t{0});
    barriers.complete(0b1000, 99);  // ended, and waits no longer
    EXPECT_EQ(barriers.next_due(), ~std::uint64_t{0});
    barriers.complete(0b1011, 100);
    EXPECT_EQ(waits.waiting(wait_reason::barrier), 0b100000U);
    barriers.complete(0b100000, 101);
    EXPECT_EQ(barriers.next_due(), 135U);
    barriers.release(134);
    EXPECT_EQ(waiting(), 0b100011U);
    EXPECT_EQ(waits.take_ended(), 0U);
    barriers.release(135);
    EXPECT_EQ(waiting(), 0b100000U);
    EXPECT_EQ(waits.take_ended(), 0b11U);
    barriers.release(140);
    EXPECT_EQ(waiting(), 0U);
    EXPECT_EQ(waits.take_ended(), 0b100000U);
}

TEST(smx_waits, each_reason_counts_for_itself) {
    warp_waits waits;
    waits.begin(wait_reason::launch, 3);
    waits.begin(wait_reason::leaving, 3);
    waits.begin(wait_reason::fence, 4);
    waits.begin(wait_reason::barrier, 4);
    waits.begin(wait_reason::transaction, 63);
    EXPECT_EQ(waits.in<warp_state::waits_for_memory>(),
              bits::one(3) | bits::one(4) | bits::one(63));
    EXPECT_EQ(waits.in<warp_state::waits_at_barrier>(), bits::one(4));
    EXPECT_EQ(waits.counted_as<cycle_cause::fence>(), bits::one(4));
    EXPECT_STREQ(waits.doing(3), "waits for a launch");
    EXPECT_STREQ(waits.doing(63), "waits for its transaction");
    EXPECT_EQ(waits.doing(5), nullptr);
    waits.end(wait_reason::launch, bits::one(3));
    EXPECT_EQ(waits.take_ended(), bits::one(3));
    EXPECT_EQ(waits.take_ended(), 0U);
    EXPECT_STREQ(waits.doing(3), "is to leave the SMX");
    waits.forget(4);
    EXPECT_EQ(waits.doing(4), nullptr);
    EXPECT_EQ(waits.take_ended(), 0U) << "a warp that left its slot goes on nowhere";
}

TEST(due_ring, gives_numbers_in_the_order_of_their_due_edges) {
    random_stream random(3, "due_ring");
    due_ring<std::uint32_t> ring;
    std::multimap<std::uint64_t, std::uint32_t> expected;
    std::uint64_t edge = 0;
    for (std::uint32_t number = 0; number < 2000; ++number, ++edge) {
        const std::uint64_t due = edge + 1 + random.below(random.below(8) == 0 ? 300 : 20);
        ring.push(due, number);
        expected.emplace(due, number);
        ASSERT_EQ(ring.next_due(), expected.begin()->first);
        while (ring.due(edge)) {
            ASSERT_LE(expected.begin()->first, edge);
            ASSERT_EQ(ring.pop(), expected.begin()->second) << "of those due together the first";
            expected.erase(expected.begin());
        }
        ASSERT_TRUE(expected.empty() || expected.begin()->first > edge);
    }
}

TEST(smx_wheel, gives_every_event_at_its_edge) {
    event_wheel<warp_code> wheel;
    random_stream random(7, "wheel");
    std::multimap<std::uint64_t, unsigned> reference;
    std::vector<bool> pending(64 * 64);
    std::uint64_t taken = 0;
    for (std::uint64_t edge = 1; edge < 20000; ++edge) {
        const auto next = reference.lower_bound(edge);
        ASSERT_EQ(wheel.next_due(edge - 1),
                  next == reference.end() ? event_wheel_limits::never : next->first);
        while (wheel.due(edge)) {
            const warp_code e = wheel.take(edge);
            const auto first = reference.lower_bound(edge);
            ASSERT_EQ(first->first, edge);
            ASSERT_EQ(first->second, e.value()) << "first in, first out";
            reference.erase(first);
            pending[e.value()] = false;
            ++taken;
        }
        ASSERT_EQ(reference.count(edge), 0u);
        if (!random.chance(0.2)) continue;
        const auto id = static_cast<unsigned>(random.below(64 * 64));
        if (pending[id]) continue;
        pending[id] = true;
        const std::uint64_t at = edge + 1 + random.below(event_wheel_limits::horizon - 2);
        wheel.add(at, warp_code(id / 64, id % 64));
        reference.emplace(at, id);
    }
    EXPECT_GT(taken, 3000u);
}

TEST(smx_wheel, deferred_events_stay_in_front) {
    event_wheel<warp_code> wheel;
    wheel.add(10, {1, 0});
    wheel.add(10, {2, 0});
    wheel.add(11, {3, 0});
    EXPECT_EQ(wheel.take(10).warp(), 1u);
    wheel.defer(10);
    EXPECT_FALSE(wheel.due(10));
    EXPECT_EQ(wheel.next_due(10), 11u);
    EXPECT_EQ(wheel.take(11).warp(), 2u);
    wheel.defer(11);
    EXPECT_EQ(wheel.next_due(11), 12u);
    EXPECT_EQ(wheel.take(12).warp(), 3u);
    wheel.defer(12);
    EXPECT_TRUE(wheel.empty());
    EXPECT_EQ(wheel.next_due(12), event_wheel_limits::never);
}

TEST(smx_account, causes_sum_to_cycles_times_schedulers) {
    cycle_account account(3);
    random_stream random(3, "account");
    std::uint64_t edge = 0;
    for (int step = 0; step < 1000; ++step) {
        edge += random.below(4);
        account.set(static_cast<unsigned>(random.below(3)),
                    static_cast<cycle_cause>(random.below(cycle_cause_count)), edge);
    }
    std::uint64_t sum = 0;
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        sum += account.total(static_cast<cycle_cause>(cause), edge + 7);
    }
    EXPECT_EQ(sum, 3 * (edge + 7));
}

TEST(smx_account, a_cause_holds_until_it_changes) {
    cycle_account account(1);
    EXPECT_TRUE(account.set(0, cycle_cause::issued, 10));
    EXPECT_FALSE(account.set(0, cycle_cause::issued, 11));
    EXPECT_TRUE(account.set(0, cycle_cause::memory, 12));
    EXPECT_EQ(account.total(cycle_cause::no_warp, 100), 10u);
    EXPECT_EQ(account.total(cycle_cause::issued, 100), 2u);
    EXPECT_EQ(account.total(cycle_cause::memory, 100), 88u);
}

/// Against the cause of each edge, one after the other.
TEST(smx_account, what_is_foreseen_holds_unless_something_is_set_before) {
    cycle_account account(1);
    random_stream random(5, "foreseen");
    const auto any = [&] { return static_cast<cycle_cause>(random.below(4)); };
    std::vector<cycle_cause> causes;  // by edge
    cycle_cause now = cycle_cause::no_warp, foreseen = now;
    std::uint64_t due = ~std::uint64_t{0};
    for (std::uint64_t edge = 0; edge < 3000; ++edge) {
        if (random.chance(0.3)) {
            now = any();
            due = ~std::uint64_t{0};
            account.set(0, now, edge);
        }
        if (edge == due) {
            now = foreseen;
            due = ~std::uint64_t{0};
        }
        if (random.chance(0.3)) {
            foreseen = any();
            due = edge + 1 + random.below(5);
            account.foresee(0, foreseen, due, edge);
        }
        causes.push_back(now);
        for (unsigned cause = 0; cause < 4; ++cause) {
            const auto each = static_cast<cycle_cause>(cause);
            ASSERT_EQ(account.total(each, edge + 1), std::count(causes.begin(), causes.end(), each))
                << "cause " << cause << " after edge " << edge;
        }
    }
}

TEST(smx_states, a_slot_is_in_one_state) {
    warp_states states(48);
    EXPECT_EQ(states.in(warp_state::absent), (protocol::warp_mask{1} << 48) - 1);
    states.set(3, ready_for(unit_class::memory));
    states.set(4, ready_for(unit_class::special));
    states.set(5, warp_state::waits_for_result);
    EXPECT_EQ(states.ready(), 0x18u);
    EXPECT_EQ(states.ready_for_any(1u << static_cast<unsigned>(unit_class::memory)), 0x8u);
    EXPECT_EQ(states.in(warp_state::waits_for_result), 0x20u);
    states.set(3, warp_state::waits_at_barrier);
    EXPECT_EQ(states.ready(), 0x10u);
    EXPECT_TRUE(is_ready(states.of(4)));
    EXPECT_FALSE(is_ready(states.of(3)));
}

TEST(smx_registers, start_sets_the_calling_convention) {
    const auto file = make_register_file(64, 2);
    alignas(64) std::uint32_t values[64];
    std::fill_n(values, 64, 9u);
    file->write({1}, 5, values, ~isa::lane_mask{0});
    file->start(1, 0xc0000100, 4096);
    EXPECT_EQ(file->value(1, 5, 63), 0u);
    EXPECT_EQ(file->value(1, 10, 63), 0xc0000100u);
    EXPECT_EQ(file->value(1, 2, 0), program::private_window.base + 4096);
    EXPECT_EQ(file->value(0, 10, 0), 0u) << "the other warp's registers stay";
}

TEST(smx_registers, widths_that_do_not_exist) {
    EXPECT_THROW((void)make_register_file(24, 2), configuration_error);
}

}  // namespace
}  // namespace heddle
