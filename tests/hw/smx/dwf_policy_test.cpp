// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which warp each policy issues, and what decides between equal ones.
#include "models/base/parameter.h"
#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
constexpr std::uint32_t nothing = ~0U;

/// 32 threads a warp, no lane in common between arrivals at one PC unless the test wants it.
struct policy_fixture : dwf_fixture {
    explicit policy_fixture(warp_policy_kind policy) : dwf_fixture(32, 4, with(policy)) {}
    /// All of them are in the pool before the first one issues.
    void settle() {
        while (former->next_change() == 1) former->pass(4);
    }
};

TEST(dwf_time_policy, issues_in_the_order_of_opening) {
    policy_fixture f(warp_policies::key<time_policy>);
    f.arrive(80, 0, 1);
    f.arrive(40, 0, 2);
    f.arrive(60, 0, 4);
    f.arrive(40, 0, 8);  // joins the second
    f.settle();
    EXPECT_THAT(f.turns(4), ElementsAre(80, 40, 60, nothing));
    EXPECT_EQ(f.outcome, protocol::turn_outcome::nothing);
}

TEST(dwf_pc_policy, issues_the_lowest_pc_then_more_threads_then_the_older) {
    policy_fixture f(warp_policies::key<pc_policy>);
    f.arrive(80, 0, 0xff);
    f.arrive(40, 1, 0b0001);
    f.arrive(40, 3, 0b0011);  // lane 0 is taken, lane 1 joins the warp before
    f.arrive(40, 5, 0b0001);
    f.arrive(40, 7, 0b0001);
    f.settle();
    std::vector<std::vector<unsigned>> threads;
    for (unsigned i = 0; i < 4; ++i) threads.push_back(f.turn().threads);
    EXPECT_THAT(threads[0], ElementsAre(32, 97));
    EXPECT_THAT(threads[1], ElementsAre(96)) << "older than those of home warps 5 and 7";
    EXPECT_THAT(threads[2], ElementsAre(160));
    EXPECT_THAT(threads[3], ElementsAre(224));
    EXPECT_EQ(f.turn().pc, 80U);
}

TEST(dwf_majority_policy, issues_all_of_the_pc_with_the_most_threads_first) {
    policy_fixture f(warp_policies::key<majority_policy>);
    f.arrive(12, 0, 0xff);
    EXPECT_EQ(f.turn().pc, 12U);
    f.arrive(80, 0, 0b1111);
    f.arrive(80, 2, 0b1111);
    f.arrive(40, 0, 0b0111);
    EXPECT_EQ(f.turn().pc, 80U);
    f.arrive(60, 0, 0xff);
    f.arrive(80, 4, 0b0001);
    f.arrive(20, 0, 0b0111);
    f.settle();
    EXPECT_THAT(f.turns(6), ElementsAre(80, 80, 60, 20, 40, nothing))
        << "80 was the Majority Entry before 60 came; of 20 and 40 the lower";
}

TEST(dwf_minority_policy, issues_all_of_the_pc_with_the_fewest_threads_first) {
    policy_fixture f(warp_policies::key<minority_policy>);
    f.arrive(12, 0, 0xff);
    f.turn();
    f.arrive(40, 0, 0b0111);
    f.arrive(80, 0, 0b1111);
    f.arrive(60, 0, 0xff);
    f.arrive(20, 0, 0b0111);
    f.arrive(80, 2, 0b0001);
    f.settle();
    EXPECT_THAT(f.turns(5), ElementsAre(40, 20, 80, 80, 60));
}

TEST(dwf_pdom_priority_policy, issues_those_that_have_passed_the_fewest_post_dominators) {
    policy_fixture f(warp_policies::key<pdom_priority_policy>);
    f.code.flags[10] = program::reconvergence_point;  // PC 40
    f.arrive(40, 0, 0b0001, true);
    f.arrive(80, 1, 0b0011, true);
    f.settle();
    const issued_group passed = [&] {
        EXPECT_EQ(f.turn().pc, 80U) << "0 post-dominators, not 1";
        return f.turn();
    }();
    ASSERT_EQ(passed.pc, 40U);
    f.arrive(44, passed, passed.lanes);
    f.arrive(84, 1, 0b0011);
    f.settle();
    EXPECT_THAT(f.turns(2), ElementsAre(84, 44)) << "the count stays with the thread";
    // A block that starts in the same places begins with 0; a warp has the largest count.
    f.arrive(44, 0, 0b0010, true);
    f.arrive(48, 0, 0b0001, true);
    f.settle();
    EXPECT_THAT(f.turns(2), ElementsAre(44, 48)) << "equal counts and sizes: the older";
}

TEST(dwf_pdom_priority_policy, threads_of_a_warp_take_its_count) {
    policy_fixture f(warp_policies::key<pdom_priority_policy>);
    f.code.flags[10] = program::reconvergence_point;
    f.arrive(40, 0, 0b0001, true);
    f.settle();
    const issued_group one = f.turn();
    f.arrive(44, 0, 0b0010, true);
    f.arrive(44, one, 0b0001);
    f.settle();
    const issued_group both = f.turn();
    ASSERT_EQ(bits::count(both.lanes), 2U);
    f.arrive(48, both, 0b0010);
    f.arrive(52, 2, 0b0100, true);
    f.settle();
    EXPECT_THAT(f.turns(2), ElementsAre(52, 48));
}

TEST(dwf_policies, are_the_five_of_the_thesis_and_majority_is_the_default) {
    dwf_configuration configuration;
    parameter_list parameters(configuration);
    const auto* legal = std::get_if<name_set>(&parameters.find("dwf.policy")->limits);
    ASSERT_NE(legal, nullptr);
    EXPECT_THAT(legal->names, ElementsAre("time", "pc", "majority", "minority", "pdom_priority"));
    EXPECT_EQ(std::get<std::string>(parameters.find("dwf.policy")->default_value), "majority");
}

}  // namespace
}  // namespace heddle
