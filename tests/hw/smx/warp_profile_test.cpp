// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which instruction a cycle without issue belongs to: of several warps, and of several results.
#include "hw/smx/issue/warp_profile.h"

#include <gmock/gmock.h>

#include "models/isa/instruction.h"
#include "tb/kit/paths.h"

namespace heddle {
namespace {

/// Two warps, at `add x3, x1, x2` and behind it at `lw x4, 0(x3)`. Cycles go to the first two
/// positions of some program.
class warp_profile_parts : public testing::Test {
protected:
    warp_profile_parts() {
        code.base = 0x10000;
        code.instructions = {isa::decode(0x002081b3), isa::decode(0x0001a203)};
        table.add(code, {});
        profile.use_program(program::image::load(build_path("kernels/iss_control.elf")));
        for (const unsigned warp : {0U, 1U}) {
            paths.start(warp, {code.base + 4 * warp, simt::never, ~isa::lane_mask{0}}, code);
        }
    }
    [[nodiscard]] std::uint64_t lost_at(std::uint32_t position, std::uint64_t edge) {
        profile.settle(edge);
        return profile.costs().programs.front().instructions[position].lost();
    }

    const execution_outcome straight_on{execution_outcome::kind::straight_on};
    program::kernel_code code;
    issue_table table;
    warp_paths paths{4, 2};
    warp_waits waits;
    scoreboard results;
    code_profile profile{1};
    warp_profile of_warps{{profile, paths, table, waits, results, false}};
};

TEST_F(warp_profile_parts, the_lowest_slot_with_the_cause_stands_for_it) {
    of_warps.charge_idle(0, {cycle_cause::fetch, 0b11}, 10);
    EXPECT_EQ(lost_at(0, 14), 4U);
    EXPECT_EQ(lost_at(1, 14), 0U);
    of_warps.charge_idle(0, {cycle_cause::fetch, 0b10}, 14);
    EXPECT_EQ(lost_at(1, 20), 6U);
}

TEST_F(warp_profile_parts, no_warp_is_nowhere) {
    of_warps.charge_idle(0, {cycle_cause::no_warp, 0}, 10);
    EXPECT_EQ(lost_at(0, 30) + lost_at(1, 30), 0U);
    EXPECT_EQ(profile.costs().elsewhere.lost(), 30U);
}

TEST_F(warp_profile_parts, a_warp_in_an_instruction_has_not_come_past_it) {
    of_warps.issued(1, 0, code.instructions[0], 1, straight_on);
    waits.begin(wait_reason::barrier, 1);
    of_warps.charge_idle(0, {cycle_cause::barrier, 0b10}, 10);
    EXPECT_EQ(lost_at(0, 13), 3U);
    EXPECT_EQ(lost_at(1, 13), 0U);
}

TEST_F(warp_profile_parts, names_the_last_writer_of_the_register_that_is_missing) {
    of_warps.issued(1, 1, code.instructions[0], 1, straight_on);  // x3 is written twice
    of_warps.issued(1, 0, code.instructions[0], 1, straight_on);
    results.set(1, 3);
    of_warps.charge_idle(0, {cycle_cause::dependency, 0b10}, 10);
    EXPECT_EQ(lost_at(1, 15), 5U);
    EXPECT_EQ(profile.costs().programs.front().instructions[0].waited_for, 5U);
    EXPECT_EQ(profile.costs().programs.front().instructions[1].waited_for, 0U);
}

}  // namespace
}  // namespace heddle
