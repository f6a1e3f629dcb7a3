// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/code_profile.h"

#include <gmock/gmock.h>

#include "tb/kit/paths.h"

namespace heddle {
namespace {

constexpr std::uint32_t nowhere = code_profile::nowhere;

class profile : public testing::Test {
protected:
    profile() : image_(program::image::load(build_path("kernels/iss_control.elf"))), profile_(2) {
        profile_.use_program(image_);
    }
    [[nodiscard]] instruction_cost at(std::uint32_t position) const {
        return profile_.costs().programs.front().instructions[position];
    }
    [[nodiscard]] static std::uint64_t in(const instruction_cost& cost, cycle_cause cause) {
        return cost.slots[static_cast<std::size_t>(cause)];
    }

    program::image image_;
    code_profile profile_;
};

TEST_F(profile, a_charge_holds_until_the_next_one) {
    profile_.charge_to(0, {cycle_cause::issued, 3}, 10);
    profile_.charge_to(0, {cycle_cause::memory, 4, 3}, 11);
    profile_.charge_to(0, {cycle_cause::memory, 4, 3}, 15);  // no change
    profile_.charge_to(0, {cycle_cause::memory, 5, 3}, 20);  // another line, the same cause
    profile_.settle(22);
    EXPECT_EQ(in(at(3), cycle_cause::issued), 1U);
    EXPECT_EQ(in(at(4), cycle_cause::memory), 9U);
    EXPECT_EQ(in(at(5), cycle_cause::memory), 2U);
    EXPECT_EQ(at(3).waited_for, 11U);
    EXPECT_EQ(at(4).lost(), 9U);
    EXPECT_EQ(at(3).lost(), 0U);
    EXPECT_EQ(in(profile_.costs().elsewhere, cycle_cause::no_warp), 10U + 22U);
}

TEST_F(profile, settling_twice_counts_once) {
    profile_.charge_to(1, {cycle_cause::fetch, 2}, 4);
    profile_.settle(9);
    profile_.settle(9);
    profile_.settle(8);  // the past
    EXPECT_EQ(in(at(2), cycle_cause::fetch), 5U);
    profile_.charge_to(1, {cycle_cause::no_warp, nowhere}, 12);
    profile_.settle(20);
    EXPECT_EQ(in(at(2), cycle_cause::fetch), 8U);
    EXPECT_EQ(in(profile_.costs().elsewhere, cycle_cause::no_warp), 4U + 8U + 20U);
}

TEST_F(profile, counts_what_instructions_do) {
    profile_.issued(1, 32, false, true);
    profile_.issued(1, 3, true, false);
    profile_.accessed(1);
    profile_.accessed(1);
    profile_.conflicted(1, 7);
    profile_.accessed(nowhere);  // of the machine's own
    EXPECT_EQ(at(1).issues, 2U);
    EXPECT_EQ(at(1).lanes, 35U);
    EXPECT_EQ(at(1).diverged, 1U);
    EXPECT_EQ(at(1).memory_issues, 1U);
    EXPECT_EQ(at(1).accesses, 2U);
    EXPECT_EQ(at(1).conflicts, 7U);
    EXPECT_EQ(profile_.costs().elsewhere.accesses, 1U);
    EXPECT_FALSE(at(1).empty());
    EXPECT_TRUE(at(2).empty());
}

TEST_F(profile, the_same_program_again_keeps_its_costs) {
    profile_.issued(6, 1, false, false);
    profile_.use_program(image_);
    EXPECT_EQ(at(6).issues, 1U);
}

TEST_F(profile, keeps_the_costs_of_a_program_apart_from_those_of_the_next_one_there) {
    const program::image next = program::image::load(build_path("kernels/iss_control.elf"));
    profile_.issued(6, 1, false, false);
    profile_.use_program(next);  // the same addresses
    profile_.issued(6, 1, false, false);
    profile_.issued(6, 1, false, false);
    profile_.issued(7, 1, false, false);
    code_costs all;
    all.add(profile_.costs());
    all.add(profile_.costs());
    ASSERT_EQ(all.programs.size(), 2U);
    EXPECT_EQ(all.programs[0].instructions[6].issues, 2U);
    EXPECT_EQ(all.programs[0].instructions[7].issues, 0U);
    EXPECT_EQ(all.programs[1].instructions[6].issues, 4U);
    EXPECT_EQ(all.programs[1].instructions[7].issues, 2U);
}

TEST_F(profile, costs_of_smxs_add_up) {
    code_costs all;
    all.add(code_profile(1).costs());  // of an SMX without a block
    profile_.charge_to(0, {cycle_cause::barrier, 2}, 0);
    profile_.issued(2, 4, false, false);
    profile_.settle(6);
    all.add(profile_.costs());
    all.add(profile_.costs());
    EXPECT_EQ(in(all.programs.at(0).instructions.at(2), cycle_cause::barrier), 12U);
    EXPECT_EQ(all.programs[0].instructions[2].issues, 2U);
    EXPECT_EQ(in(all.elsewhere, cycle_cause::no_warp), 12U);
    ASSERT_EQ(all.programs.size(), 1U);
    EXPECT_EQ(all.programs[0].image.name(), image_.name());
}

}  // namespace
}  // namespace heddle
