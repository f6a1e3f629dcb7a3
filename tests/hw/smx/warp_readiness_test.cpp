// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What keeps a warp from its next instruction, and which of several reasons counts.
#include "hw/smx/issue/warp_readiness.h"

#include "tests/hw/smx/block_table_fixture.h"

namespace heddle {
namespace {

/// Two warps at the beginning of `add x3, x1, x2` and `lw x4, 0(x3)`, fetched.
class warp_readiness_parts : public block_table_fixture {
protected:
    warp_readiness_parts() {
        code.base = 0x10000;
        code.instructions = {isa::decode(0x002081b3), isa::decode(0x0001a203)};
        table.add(code, {});
        readiness.use_program(code);
        EXPECT_TRUE(start(0, 2 * 32));
        for (const unsigned warp : {0U, 1U}) {
            paths.start(warp, {code.base, simt::never, full_warp}, code);
            paths.buffers().fill(warp, 1);
        }
        readiness.touch(both);
    }

    static constexpr isa::lane_mask full_warp = 0xffffffff;
    static constexpr protocol::warp_mask both = 0b11;
    program::kernel_code code;
    issue_table table;
    warp_paths paths{4, 2};
    warp_waits waits;
    scoreboard results;
    warp_readiness readiness{
        4, memory_classification::opcode, {paths, table, blocks, waits, results}};
};

TEST_F(warp_readiness_parts, finds_only_the_states_of_touched_warps_again) {
    EXPECT_EQ(readiness.refresh(), both);
    EXPECT_EQ(readiness.states().ready(), both);
    EXPECT_EQ(readiness.states().of(0), ready_for(unit_class::integer));
    results.set(0, 1);
    EXPECT_EQ(readiness.refresh(), 0U);
    EXPECT_EQ(readiness.states().ready(), both) << "nothing has touched the warp";
    EXPECT_EQ(readiness.state_of(0), warp_state::waits_for_result);
    readiness.touch(0b01);
    EXPECT_EQ(readiness.refresh(), 0b01U);
    EXPECT_EQ(readiness.states().ready(), 0b10U);
}

TEST_F(warp_readiness_parts, counts_the_first_of_several_reasons) {
    const auto state = [&] {
        readiness.touch(0b01);
        (void)readiness.refresh();
        return readiness.states().of(0);
    };
    results.set_memory(0, 1, true);
    EXPECT_EQ(state(), warp_state::waits_for_constants);
    results.set_memory(0, 2, false);
    EXPECT_EQ(state(), warp_state::waits_for_memory) << "one operand of two comes from memory";
    paths.buffers().flush(0);
    EXPECT_EQ(state(), warp_state::waits_for_fetch) << "its next instruction is not known";
    waits.begin(wait_reason::barrier, 0);
    EXPECT_EQ(state(), warp_state::waits_at_barrier);
    paths.group(0).lanes = 0;
    EXPECT_EQ(state(), warp_state::absent);
    waits.begin(wait_reason::transaction, 0);
    EXPECT_EQ(state(), warp_state::waits_for_memory) << "none of its lanes runs";
}

TEST_F(warp_readiness_parts, names_a_fence_where_all_that_wait_for_memory_are_at_one) {
    waits.begin(wait_reason::fence, 0);
    waits.begin(wait_reason::fence, 1);
    readiness.touch(both);
    (void)readiness.refresh();
    EXPECT_EQ(readiness.waiting_cause(both).cause, cycle_cause::fence);
    EXPECT_EQ(readiness.waiting_cause(both).warps, both);
    EXPECT_STREQ(readiness.doing(0), "waits at a fence for its accesses");
    waits.end(wait_reason::fence, 0b10);
    results.set_memory(1, 2, false);
    readiness.touch(both);
    (void)readiness.refresh();
    EXPECT_EQ(readiness.waiting_cause(both).cause, cycle_cause::memory);
    EXPECT_EQ(readiness.waiting_cause(both).warps, 0b10U) << "the other one is at its fence";
    EXPECT_EQ(readiness.waiting_cause(0b01).cause, cycle_cause::fence);
    EXPECT_EQ(readiness.waiting_cause(0b1100).cause, cycle_cause::no_warp);
}

TEST_F(warp_readiness_parts, a_policy_that_counts_global_accesses_learns_of_the_others) {
    warp_readiness learning(4, memory_classification::last_window,
                            {paths, table, blocks, waits, results});
    learning.use_program(code);
    for (const unsigned warp : {0U, 1U}) paths.group(warp).pc += 4;
    learning.touch(both);
    (void)learning.refresh();
    EXPECT_EQ(learning.ready_for_counted_memory(), both);
    learning.touch(0b01);  // it is the one that issues
    learning.memory_issued(1, program::shared_window.base);
    EXPECT_EQ(learning.ready_for_counted_memory(), 0b01U) << "the other waits with it";
    EXPECT_FALSE(learning.completion_counts(1));
    (void)learning.refresh();
    EXPECT_EQ(learning.ready_for_counted_memory(), 0U);
}

}  // namespace
}  // namespace heddle
