// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Lock-step of a core behind the C interface: what a core may do, and what is named.
#include <algorithm>
#include <cstring>

#include "tests/library/lockstep_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;

struct event {
    heddle_retired* record;
    std::uint64_t cycle;
};

/// The events in their cycles; all else of their warps that comes before them goes first, and what
/// comes behind them last.
records arranged(known_core& core, std::vector<event> events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const event& a, const event& b) { return a.cycle < b.cycle; });
    records before, middle, behind;
    for (heddle_retired& r : core.told) {
        const auto is_event = [&](const event& e) { return e.record == &r; };
        if (std::any_of(events.begin(), events.end(), is_event)) continue;
        const auto is_later = [&](const event& e) { return &r < e.record; };
        const auto of_warp = [&](const event& e) { return e.record->warp == r.warp; };
        const bool first = r.kind != HEDDLE_DRAINED &&
                           std::any_of(events.begin(), events.end(), of_warp) &&
                           std::all_of(events.begin(), events.end(),
                                       [&](const event& e) { return !of_warp(e) || is_later(e); });
        (r.kind == HEDDLE_BLOCK_BEGIN || first ? before : behind).push_back(r);
        (r.kind == HEDDLE_BLOCK_BEGIN || first ? before : behind).back().cycle =
            r.kind == HEDDLE_BLOCK_BEGIN || first ? 5 : 100;
    }
    for (const event& e : events) {
        middle.push_back(*e.record);
        middle.back().cycle = e.cycle;
    }
    before.insert(before.end(), middle.begin(), middle.end());
    before.insert(before.end(), behind.begin(), behind.end());
    for (heddle_retired& r : before) r.issued = 0;
    return before;
}

/// Worked example 1: A stores 1 (10 to 30), B stores 2 (20 to 40), C loads.
records race(std::uint32_t value, std::uint64_t load_at) {
    known_core core("race", 1, 96);
    std::vector<event> events;
    for (const unsigned warp : {0U, 1U}) {
        heddle_retired* const store = core.of(warp, is_store)[0];
        heddle_retired* const drained = core.of(warp, is_drained)[0];
        drained->n = store->n;
        events.push_back({store, 10 + 10 * warp});
        events.push_back({drained, 30 + 10 * warp});
    }
    const auto of_buffer = [&](const heddle_retired& r) {
        return r.rd != 0 && r.address[0] == core.of(0, is_store)[0]->address[0];
    };
    heddle_retired* const load =
        core.of(2, [&](const auto& r) { return is_load(r) && of_buffer(r); })[0];
    heddle_retired* const data =
        core.of(2, [&](const auto& r) { return is_data(r) && r.n == load->n; })[0];
    data->value[0] = value;
    events.push_back({load, load_at});
    events.push_back({data, load_at + 1});
    core.of(2, is_store)[0]->data[0] = value;
    return arranged(core, events);
}

TEST(lockstep, a_load_may_give_what_the_memory_rule_allows) {
    for (const std::uint64_t load_at : {25U, 50U}) {
        for (const std::uint32_t value : {0U, 1U, 2U, 3U}) {
            const records told = race(value, load_at);
            const lockstep_of_test machine("race", 1, 96, tells_drained());
            const bool legal = value != 3 && (load_at == 25 || value != 0);
            if (legal) {
                machine.expect_accepted(told);
                continue;
            }
            EXPECT_EQ(machine.tell(told), HEDDLE_WRONG_RESULT) << load_at << ' ' << value;
            const heddle_difference found = machine.difference();
            EXPECT_THAT(found.text, HasSubstr("gets 0x0000000" + std::to_string(value)));
            EXPECT_THAT(found.text, HasSubstr("; possible: 0x00000002"));
            EXPECT_EQ(found.has_place, 1);
            EXPECT_EQ(found.warp, 2U);
            EXPECT_THAT(found.steps, HasSubstr("=" + std::to_string(value) + "\n"));
            EXPECT_EQ(found.lane, 0U);
        }
    }
}

TEST(lockstep, racing_values_are_counted) {
    const lockstep_of_test machine("race", 1, 96, tells_drained());
    machine.expect_accepted(race(1, 50));
    heddle_lockstep_counts counts{};
    counts.size = sizeof counts;
    EXPECT_GOOD(heddle_lockstep_get_counts(machine, &counts), machine);
    EXPECT_EQ(counts.racing_values, 1U);
    EXPECT_EQ(counts.late_writes, 0U);
    EXPECT_GT(counts.instructions, 20U);
}

/// Without the record that the first store has ended, all is possible until the block ends.
TEST(lockstep, without_ends_of_writes_the_rule_is_looser) {
    records told = race(0, 50);
    told.erase(std::remove_if(told.begin(), told.end(), is_drained), told.end());
    const lockstep_of_test machine("race", 1, 96);
    machine.expect_accepted(told);
    heddle_lockstep_counts counts{};
    counts.size = sizeof counts;
    EXPECT_GOOD(heddle_lockstep_get_counts(machine, &counts), machine);
    EXPECT_EQ(counts.late_writes, 3U);
}

/// Memory has performed the first of two stores: the second may not be there yet.
TEST(lockstep, stores_drain_up_to_the_number_that_is_told) {
    for (const bool both : {false, true}) {
        known_core core("store_twice", 1, 64);
        const auto stores = core.of(0, is_store);
        ASSERT_EQ(stores.size(), 2U);
        heddle_retired* const drained = core.of(0, is_drained)[0];
        drained->n = stores[both ? 1 : 0]->n;
        const std::uint32_t second = stores[1]->address[0];
        heddle_retired* const load =
            core.of(1, [&](const auto& r) { return is_load(r) && r.address[0] == second; })[0];
        heddle_retired* const data =
            core.of(1, [&](const auto& r) { return is_data(r) && r.n == load->n; })[0];
        data->value[0] = 0;
        core.of(1, is_store)[0]->data[0] = 0;
        std::vector<event> events{
            {stores[0], 10}, {stores[1], 12}, {drained, 20}, {load, 30}, {data, 31}};
        for (heddle_retired& r : core.told) {
            const bool between = r.n > stores[0]->n && r.n < stores[1]->n;
            if (r.warp == 0 && r.kind == HEDDLE_STEP && between) events.push_back({&r, 11});
        }
        const records told = arranged(core, events);
        const lockstep_of_test machine("store_twice", 1, 64);
        if (both) {
            EXPECT_EQ(machine.tell(told), HEDDLE_WRONG_RESULT);
            EXPECT_THAT(heddle_error_text(machine), HasSubstr("possible: 0x00000001"));
        } else {
            machine.expect_accepted(told);
        }
    }
}

/// Behind a barrier there is one value.
TEST(lockstep, a_barrier_ends_writes_to_shared_memory) {
    known_core core("exchange", 1, 64);
    const heddle_retired* const load =
        core.of(1, [](const auto& r) { return is_load(r) && r.address[0] >> 28 == 1; })[0];
    heddle_retired* const data = core.of(
        1, [&](const auto& r) { return is_data(r) && r.n == load->n && r.value[0] != 0; })[0];
    data->value[0] = 0;  // what was there before
    records told = core.told;
    told.erase(std::remove_if(told.begin(), told.end(), is_drained), told.end());
    const lockstep_of_test machine("exchange", 1, 64);
    EXPECT_EQ(machine.tell(told), HEDDLE_WRONG_RESULT);
    EXPECT_THAT(heddle_error_text(machine),
                testing::ContainsRegex("gets 0x00000000 from 0x100000[0-9a-f]+; possible: 0x"));
}

/// Worked example 2: the values of a load come in two parts, around a later step.
records in_two_parts(std::uint64_t& load) {
    known_core core("gather", 1, 32);
    const heddle_retired* const step = core.of(0, [&](const auto& r) {
        return is_load(r) && r.rd != 0 && r.lanes == 0xffffffffU && r.address[1] != r.address[0];
    })[0];
    load = step->n;
    records told;
    heddle_retired whole{};
    for (const heddle_retired& r : core.told) {
        const bool part = is_data(r) && r.n == load;
        if (part) {
            for (unsigned lane = 0; lane < 32; ++lane) whole.value[lane] |= r.value[lane];
        } else {
            told.push_back(r);
        }
    }
    heddle_retired half = *step;
    half.kind = HEDDLE_DATA;
    std::memcpy(half.value, whole.value, sizeof half.value);
    half.known = half.lanes = 0x0000ffffU;
    auto at = std::find_if(told.begin(), told.end(),
                           [&](const auto& r) { return r.kind == HEDDLE_STEP && r.n == load; });
    half.cycle = half.issued = at->cycle;
    at = told.insert(at + 1, half);
    // The next step does not need the value.
    at = std::find_if(at, told.end(),
                      [&](const auto& r) { return r.kind == HEDDLE_STEP && r.n == load; });
    at = std::find_if(told.begin(), told.end(),
                      [&](const auto& r) { return r.kind == HEDDLE_STEP && r.n == load + 1; });
    half.cycle = half.issued = at->cycle;
    half.known = half.lanes = 0xffff0000U;
    told.insert(at, half);
    return told;
}

TEST(lockstep, a_load_comes_in_parts) {
    std::uint64_t load = 0;
    const records told = in_two_parts(load);
    lockstep_of_test("gather", 1, 32, tells_drained()).expect_accepted(told);
}

TEST(lockstep, a_lane_gets_its_value_once) {
    std::uint64_t load = 0;
    records told = in_two_parts(load);
    unsigned parts = 0;
    for (heddle_retired& r : told) {
        if (is_data(r) && r.n == load && parts++ == 1) r.known = r.lanes = 0xffff8000U;
    }
    ASSERT_EQ(parts, 2U);
    const lockstep_of_test machine("gather", 1, 32, tells_drained());
    EXPECT_EQ(machine.tell(told), HEDDLE_USAGE);
    EXPECT_THAT(heddle_error_text(machine),
                HasSubstr("lane 15 of warp 0 of block 0 of launch 1 gets a value for n = " +
                          std::to_string(load) + ", which has it already"));
}

/// Worked example 3. The machine is as before: the right record goes on.
TEST(lockstep, a_gap_names_warp_and_both_numbers) {
    known_core core("race", 1, 64);
    records told = core.told;
    const auto second = std::find_if(told.begin(), told.end(), [](const auto& r) {
        return r.kind == HEDDLE_STEP && r.warp == 1 && r.n == 2;
    });
    const lockstep_of_test machine("race", 1, 64, tells_drained());
    const auto before = static_cast<std::size_t>(second - told.begin());
    heddle_retired wrong = *second;
    wrong.n = 3;
    EXPECT_GOOD(heddle_lockstep_step(machine, told.data(), before, nullptr), machine);
    wrong.n = 1;
    EXPECT_EQ(heddle_lockstep_step(machine, &wrong, 1, nullptr), HEDDLE_USAGE);
    EXPECT_THAT(heddle_error_text(machine), HasSubstr("n = 1 after n = 1; legal: n = 2"));
    wrong.n = 3;
    EXPECT_EQ(heddle_lockstep_step(machine, &wrong, 1, nullptr), HEDDLE_USAGE);
    EXPECT_THAT(heddle_error_text(machine),
                HasSubstr("warp 1 of block 0 of launch 1 retires instruction n = 3 after n = 1; "
                          "legal: n = 2"));
    machine.expect_accepted(records(second, told.end()));
}

/// Worked example 4: both find what was there before.
TEST(lockstep, a_lost_update_is_seen) {
    for (const bool lost : {false, true}) {
        known_core core("add_twice", 1, 64);
        const auto found = [&](unsigned warp) {
            const heddle_retired* const atomic =
                core.of(warp, [](const auto& r) { return r.access == HEDDLE_ATOMIC; })[0];
            return core.of(warp, [&](const auto& r) { return is_data(r) && r.n == atomic->n; });
        };
        const auto first = found(0);
        const auto second = found(1);
        ASSERT_EQ(first[0]->value[0] + second[0]->value[0], 1U);
        if (lost) first[0]->value[0] = second[0]->value[0] = 0;
        const lockstep_of_test machine("add_twice", 1, 64, tells_drained());
        if (!lost) {
            machine.expect_accepted(core.told);
            continue;
        }
        EXPECT_EQ(machine.tell(core.told), HEDDLE_WRONG_RESULT);
        // The second one began when the first had ended, or both are under way.
        EXPECT_THAT(machine.difference().text,
                    testing::AnyOf(HasSubstr("one was lost"), HasSubstr("; possible: 0x00000001")));
    }
}

TEST(lockstep, clocks_and_the_number_of_the_core_are_taken) {
    known_core core("clocks", 1, 32);
    const auto clock = core.of(0, [](const auto& r) {
        return r.kind == HEDDLE_STEP && (r.word & 0x7f) == 0x73 && r.word >> 20 == 0xcd8;
    });
    (void)clock;
    records told = core.told;
    for (heddle_retired& r : told) {
        r.cycle += 1000;
        if (r.issued != 0) r.issued += 1000;
    }
    lockstep_of_test("clocks", 1, 32, tells_drained()).expect_accepted(told);
}

TEST(lockstep, a_store_that_memory_has_lost_is_found_at_the_end) {
    known_core core("race", 1, 32);
    const lockstep_of_test machine("race", 1, 32, tells_drained());
    EXPECT_GOOD(machine.tell(core.told), machine);
    const std::uint32_t word = 0;
    EXPECT_GOOD(heddle_lockstep_memory(machine, machine.buffer(), &word, sizeof word), machine);
    EXPECT_EQ(heddle_lockstep_finish(machine), HEDDLE_WRONG_RESULT);
    EXPECT_THAT(heddle_error_text(machine), HasSubstr("possible: 0x00000001, stored by"));
    const heddle_difference found = machine.difference();
    EXPECT_EQ(found.pc, core.of(0, is_store)[0]->pc);
    EXPECT_EQ(found.n, 0U);
}

TEST(lockstep, memory_can_be_read_behind_the_end) {
    known_core core("race", 1, 32);
    const lockstep_of_test machine("race", 1, 32, tells_drained());
    std::uint32_t word = 7;
    expect_failure(heddle_read(machine, &word, machine.buffer(), 4), HEDDLE_USAGE, machine,
                   "1 launches of the core have not ended");
    machine.expect_accepted(core.told);
    EXPECT_GOOD(heddle_read(machine, &word, machine.buffer(), 4), machine);
    EXPECT_EQ(word, 1U);
    const heddle_shape shape = shape_of(1, 32);
    const heddle_argument argument = heddle_pointer(machine.buffer());
    EXPECT_GOOD(heddle_launch(machine, "race", &shape, &argument, 1), machine);
}

/// What two sides agree on is no difference, but the kernel's fault.
TEST(lockstep, a_fault_of_the_kernel_is_one) {
    known_core core("out_of_range", 1, 32, /*faults=*/true);
    const lockstep_of_test machine("out_of_range", 1, 32);
    records told = core.told;
    const auto store = std::find_if(told.begin(), told.end(), is_store);
    ASSERT_NE(store, told.end());
    store->fault = 1;
    EXPECT_EQ(machine.tell(told), HEDDLE_KERNEL_FAULT);
    EXPECT_THAT(heddle_error_text(machine), HasSubstr("illegal write"));
    EXPECT_EQ(machine.difference().lane, 0U);

    store->fault = 0;
    const lockstep_of_test silent("out_of_range", 1, 32);
    EXPECT_EQ(silent.tell(told), HEDDLE_WRONG_RESULT);
    EXPECT_THAT(heddle_error_text(silent), HasSubstr("reports no fault; expected: illegal write"));
}

TEST(lockstep, a_core_finds_out_what_to_run) {
    const lockstep_of_test machine("exchange", 3, 64);
    std::size_t count = 0;
    EXPECT_GOOD(heddle_lockstep_launch_count(machine, &count), machine);
    EXPECT_EQ(count, 1U);
    heddle_lockstep_launch launch{};
    launch.size = sizeof launch;
    EXPECT_GOOD(heddle_lockstep_get_launch(machine, 0, &launch), machine);
    EXPECT_EQ(launch.launch, 1U);
    EXPECT_STREQ(launch.kernel, "exchange");
    EXPECT_EQ(launch.grid[0] * launch.block[0], 192U);
    EXPECT_EQ(launch.grid[1], 1U);
    EXPECT_EQ(launch.shared_bytes, 256U);
    EXPECT_EQ(launch.stack, 0x20002000U);
    known_core core("exchange", 1, 64);
    std::uint32_t word = 0;
    for (const heddle_retired* r :
         core.of(0, [](const auto& each) { return each.n != 0 && each.kind == HEDDLE_STEP; })) {
        EXPECT_EQ(r->n == 1, r->pc == launch.entry);
        EXPECT_GOOD(heddle_lockstep_fetch(machine, 1, r->pc, &word, 1), machine);
        EXPECT_EQ(word, r->word);
    }
    EXPECT_GOOD(heddle_lockstep_fetch(machine, 1, launch.parameters, &word, 1), machine);
    EXPECT_EQ(word, machine.buffer());
    expect_failure(heddle_lockstep_get_launch(machine, 1, &launch), HEDDLE_USAGE, machine,
                   "launches that have not ended");
    expect_failure(heddle_lockstep_fetch(machine, 2, launch.entry, &word, 1), HEDDLE_USAGE, machine,
                   "there is no launch 2");
    expect_failure(heddle_lockstep_fetch(machine, 1, 2, &word, 1), HEDDLE_USAGE, machine,
                   "multiples of 4");
}

TEST(lockstep, a_record_in_bits_is_the_record) {
    known_core core("exchange", 1, 64);
    const lockstep_of_test machine("exchange", 1, 64, tells_drained());
    for (const heddle_retired& r : core.told) {
        std::uint32_t words[200] = {};
        EXPECT_GOOD(heddle_pack_retired(&r, words, 200), nullptr);
        EXPECT_EQ(heddle_dpi_retire(machine, 32, words), 0) << heddle_error_text(machine);
    }
    EXPECT_EQ(heddle_dpi_finish(machine), 0);
    EXPECT_EQ(heddle_dpi_read(machine, static_cast<int>(machine.buffer())), 63 * 3);
}

}  // namespace
}  // namespace heddle
