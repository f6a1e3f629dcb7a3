// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Lock-step of a core behind the C interface: the paths of a warp's threads.
#include <algorithm>

#include "tests/library/lockstep_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;

/// Worked example 5: what the stack gives is what a core with a stack goes on with.
TEST(lockstep, paths_are_those_of_the_stack_or_of_each_thread) {
    known_core core("odd_and_even", 1, 32);
    records told = core.told;
    // What the warp goes on with is what it issues next, in a machine without transactions.
    std::vector<heddle_retired*> steps;
    for (heddle_retired& r : told) {
        if (r.kind == HEDDLE_STEP) steps.push_back(&r);
    }
    unsigned halves = 0;
    heddle_retired* branch = nullptr;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        heddle_retired& r = *steps[i];
        r.given = HEDDLE_GIVES_LIVE;
        r.live = 0xffffffffU;
        halves += r.lanes == 0xaaaaaaaaU || r.lanes == 0x55555555U ? 1 : 0;
        if (r.lanes == 0xffffffffU && steps[i + 1]->lanes != r.lanes) branch = &r;
    }
    ASSERT_NE(branch, nullptr);
    EXPECT_GT(halves, 4U);
    heddle_retired* const next =
        branch + (std::find_if(branch + 1, told.data() + told.size(),
                               [](const auto& r) { return r.kind == HEDDLE_STEP; }) -
                  branch);
    branch->given |= HEDDLE_GIVES_NEXT | HEDDLE_GIVES_TAKEN;
    branch->next_lanes = next->lanes;
    branch->next_pc = next->pc;
    branch->depth = 3;
    branch->taken = next->lanes;
    lockstep_of_test("odd_and_even", 1, 32, tells_drained()).expect_accepted(told);

    struct wrong {
        const char* text;
        void (*change)(heddle_retired&);
    };
    const wrong all[] = {
        {"goes on with the lanes 0x", [](heddle_retired& r) { r.next_lanes ^= 3; }},
        {"goes on at PC 0x", [](heddle_retired& r) { r.next_pc += 4; }},
        {"leaves a stack of 0x2; expected: 0x3", [](heddle_retired& r) { r.depth = 2; }},
        {"is taken by the lanes 0x", [](heddle_retired& r) { r.taken ^= 0x80000000U; }},
        {"leaves the live lanes 0x7fffffff; expected: 0xffffffff",
         [](heddle_retired& r) { r.live = 0x7fffffffU; }}};
    const heddle_retired right = *branch;
    for (const wrong& each : all) {
        each.change(*branch);
        const lockstep_of_test machine("odd_and_even", 1, 32, tells_drained());
        EXPECT_EQ(machine.tell(told), HEDDLE_WRONG_RESULT) << each.text;
        const heddle_difference found = machine.difference();
        EXPECT_THAT(found.text, HasSubstr(each.text));
        EXPECT_EQ(found.pc, right.pc);
        EXPECT_EQ(found.n, right.n);
        EXPECT_THAT(found.source, HasSubstr("lockstep_kernel.cpp:"));
        const std::string lines = found.steps;
        EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'),
                  static_cast<int>(std::min<std::uint64_t>(20, right.n)));
        *branch = right;
    }
}

/// Lanes that meet again at once have taken the branch, too.
TEST(lockstep, lanes_that_wait_behind_a_branch_have_taken_it) {
    known_core core("odd_only", 1, 32);
    records told = core.told;
    heddle_retired* branch = nullptr;
    for (heddle_retired& r : told) {
        if (r.kind != HEDDLE_STEP) continue;
        if (branch != nullptr && r.lanes != branch->lanes) {
            branch->given = HEDDLE_GIVES_TAKEN;
            branch->taken = r.pc == branch->pc + 4 ? branch->lanes & ~r.lanes : r.lanes;
            break;
        }
        branch = &r;
    }
    ASSERT_NE(branch, nullptr);
    ASSERT_EQ(branch->taken, 0x55555555U);
    lockstep_of_test("odd_only", 1, 32, tells_drained()).expect_accepted(told);
    branch->taken = 0xaaaaaaaaU;
    const lockstep_of_test machine("odd_only", 1, 32, tells_drained());
    EXPECT_EQ(machine.tell(told), HEDDLE_WRONG_RESULT);
    EXPECT_THAT(machine.difference().text,
                HasSubstr("is taken by the lanes 0xaaaaaaaa; expected: 0x55555555"));
}

/// A core that runs the side with the lower PC first, whatever the stack says.
TEST(lockstep, a_core_of_lowest_pc_passes_with_threads_apart) {
    known_core core("odd_and_even", 1, 32);
    records told = core.told;
    const auto on_side = [](std::uint64_t lanes) {
        return
            [lanes](const heddle_retired& r) { return r.kind == HEDDLE_STEP && r.lanes == lanes; };
    };
    const auto first = std::find_if(told.begin(), told.end(), [](const heddle_retired& r) {
        return r.kind == HEDDLE_STEP && r.lanes != 0xffffffffU;
    });
    const std::uint64_t one = first->lanes;
    const std::uint64_t other = 0xffffffffU & ~one;
    records sides[2];
    records before(told.begin(), first);
    records behind;
    for (auto r = first; r != told.end(); ++r) {
        const bool of_one = (r->kind == HEDDLE_STEP || is_data(*r)) && (r->lanes & ~one) == 0;
        const bool of_other = (r->kind == HEDDLE_STEP || is_data(*r)) && (r->lanes & ~other) == 0;
        (of_one ? sides[0] : of_other ? sides[1] : behind).push_back(*r);
    }
    ASSERT_TRUE(std::any_of(sides[1].begin(), sides[1].end(), on_side(other)));
    records swapped = before;
    swapped.insert(swapped.end(), sides[1].begin(), sides[1].end());
    swapped.insert(swapped.end(), sides[0].begin(), sides[0].end());
    swapped.insert(swapped.end(), behind.begin(), behind.end());
    // Numbers and times in the new order.
    std::uint64_t n = 0;
    std::vector<std::uint64_t> renamed(told.size() + 1);
    for (heddle_retired& r : swapped) {
        if (r.kind == HEDDLE_STEP) renamed[r.n] = ++n;
    }
    std::uint64_t cycle = 0;
    for (heddle_retired& r : swapped) {
        if (r.kind == HEDDLE_DRAINED) r.n = n;
        if (r.kind == HEDDLE_STEP || is_data(r)) r.n = renamed[r.n];
        r.cycle = ++cycle;
        r.issued = 0;
    }
    swapped.erase(std::remove_if(swapped.begin(), swapped.end(), is_drained), swapped.end());
    heddle_lockstep_options options{};
    const lockstep_of_test with_stack("odd_and_even", 1, 32, options);
    EXPECT_EQ(with_stack.tell(swapped), HEDDLE_WRONG_RESULT);
    EXPECT_THAT(with_stack.difference().text, HasSubstr("executes PC"));
    options.threads_apart = 1;
    lockstep_of_test("odd_and_even", 1, 32, options).expect_accepted(swapped);
}

}  // namespace
}  // namespace heddle
