// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// two_level and ccws with its victim tags, cycle by cycle on hand-written traces.
#include <gmock/gmock.h>

#include <vector>

#include "hw/smx/l1/victim_tags.h"
#include "hw/smx/warp_scheduler/cache_conscious.h"
#include "tests/hw/smx/selection_fixture.h"

namespace heddle {
namespace {

using fixture = selection_fixture;
using ::testing::ElementsAre;

warp_scheduler_configuration in_groups_of(unsigned group) {
    warp_scheduler_configuration configuration =
        fixture::configured(selection_policies::key<two_level>);
    configuration.policies.of<two_level_configuration>().fetch_group = group;
    return configuration;
}

TEST(two_level_policy, takes_turns_within_the_first_group) {
    fixture f(in_groups_of(3));
    f.start({0, 1, 2, 3, 4, 5});
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(4, 0b111111)), ElementsAre(0, 1, 2, 0));
    // Where nobody of it can issue, the next group does; the first stays the first.
    EXPECT_THAT(f.cycles({0b111000, 0b111000, 0b111111}), ElementsAre(3, 4, 1));
}

TEST(two_level_policy, the_next_group_comes_when_all_of_the_first_wait_for_memory) {
    fixture f(in_groups_of(2));
    f.start({0, 1, 2, 3, 4, 5});
    EXPECT_EQ(f.cycle(0b111111), 0U);
    f.in.long_latency = 0b01;
    EXPECT_THAT(f.cycles({0b111110, 0b111100}), ElementsAre(1, 2)) << "1 does not wait for memory";
    f.in.long_latency = 0b11;
    EXPECT_EQ(f.cycle(0b111100), 3U);
    f.in.long_latency = 0;  // 0 and 1 are back, but their group is the last now
    EXPECT_THAT(f.cycles({0b111111, 0b111111, 0b110011, 0b000011}), ElementsAre(2, 3, 4, 0));
}

TEST(two_level_policy, skips_groups_that_wait_or_are_empty) {
    fixture f(in_groups_of(2));
    f.start({0, 1, 4, 5, 6});
    f.in.long_latency = slots_of({0, 1, 4, 5});
    EXPECT_EQ(f.cycle(slots_of({6})), 6U);
    f.in.long_latency = 0;
    EXPECT_EQ(f.cycle(slots_of({0, 4, 6})), 6U) << "6's group is the first";
}

TEST(two_level_policy, groups_count_the_schedulers_own_slots) {
    fixture f(in_groups_of(2), 0xaaaaaaaaaaaaaaaaU);
    f.start({1, 3, 5, 7});
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(3, slots_of({1, 3, 5, 7}))),
                ElementsAre(1, 3, 1));
}

TEST(two_level_policy, a_cycle_without_issue_changes_nothing) {
    fixture f(in_groups_of(2));
    f.start({0, 1, 2, 3});
    EXPECT_EQ(f.cycle(0b1111), 0U);
    f.in.long_latency = 0b0011;
    EXPECT_EQ(f.cycle(0), none);
    f.in.long_latency = 0;
    EXPECT_EQ(f.cycle(0b1111), 1U);
}

warp_scheduler_configuration cache_conscious_configuration(unsigned base, unsigned throttle) {
    warp_scheduler_configuration configuration =
        fixture::configured(selection_policies::key<cache_conscious>);
    auto& ccws = configuration.policies.of<ccws_configuration>();
    ccws.base_score = base;
    ccws.throttle = throttle;
    return configuration;
}

/// The class itself, to see its scores.
struct scored {
    warp_scheduler_configuration configuration;
    cache_conscious policy;
    selection_inputs in;

    scored(unsigned base, unsigned throttle, std::uint64_t own = ~std::uint64_t{0})
        : configuration(cache_conscious_configuration(base, throttle)),
          policy(selection_setting{configuration, own}) {}
    void start(unsigned warp) {
        in.resident |= slots_of({warp});
        policy.started(warp);
    }
    void lose(unsigned warp) {
        in.lost_locality = slots_of({warp});
        policy.look(in);
        policy.edge();
        in.lost_locality = 0;
    }
};

TEST(ccws_policy, the_score_rises_with_lost_locality_and_falls_by_one_a_cycle) {
    scored s(10, 2);
    for (unsigned w = 0; w < 4; ++w) s.start(w);
    for (unsigned i = 0; i < 8; ++i) s.policy.issued(0);
    EXPECT_EQ(s.policy.score(1, 0), 10U);
    s.in.cycle = 100;
    s.lose(1);  // 1 x 2 x (4 x 10) / 8 = 10: not above the base score
    EXPECT_EQ(s.policy.score(1, 100), 10U);
    s.lose(1);  // 2 x 2 x 40 / 8
    EXPECT_EQ(s.policy.score(1, 100), 20U);
    EXPECT_EQ(s.policy.score(1, 101), 19U);
    EXPECT_EQ(s.policy.score(1, 109), 11U);
    EXPECT_EQ(s.policy.score(1, 110), 10U);
    EXPECT_EQ(s.policy.score(1, 111), 10U);
    EXPECT_EQ(s.policy.score(0, 100), 10U);
    s.in.cycle = 105;
    for (unsigned i = 0; i < 8; ++i) s.policy.issued(0);
    s.lose(1);  // 3 x 2 x 40 / 16 = 15, which is what it has
    EXPECT_EQ(s.policy.score(1, 105), 15U);
    s.lose(2);  // 4 x 2 x 40 / 16
    EXPECT_EQ(s.policy.score(2, 105), 20U);
}

TEST(ccws_policy, holds_back_what_the_sum_pushes_above_the_cutoff) {
    scored s(10, 2);
    for (const unsigned w : {3U, 0U, 1U, 2U}) s.start(w);  // by age: 3, 0, 1, 2
    for (unsigned i = 0; i < 8; ++i) s.policy.issued(0);
    EXPECT_EQ(s.policy.held_back(0), 0U);
    s.lose(1);
    s.lose(1);  // 1 has 20, cutoff 40: 1 (20), 3 (30), 0 (40), 2 (50)
    EXPECT_EQ(s.policy.held_back(0), slots_of({2}));
    EXPECT_EQ(s.policy.held_back(9), slots_of({2}));
    EXPECT_EQ(s.policy.held_back(10), 0U);
    s.lose(2);
    s.lose(2);  // 2 has 40: 2 (40), 1 (60), 3 (70), 0 (80)
    EXPECT_EQ(s.policy.held_back(0), slots_of({0, 1, 3}));
    s.lose(2);  // 50, above the cutoff by itself: the first may load always
    EXPECT_EQ(s.policy.held_back(0), slots_of({0, 1, 3}));
}

TEST(ccws_policy, declines_loads_only_and_only_for_a_while) {
    fixture f(cache_conscious_configuration(4, 8));
    f.start({0, 1});
    EXPECT_EQ(f.cycle(0b01), 0U);
    f.in.memory = 0b11;
    f.in.lost_locality = 0b01;
    f.cycle(0);  // 1 x 8 x 8 / 1 = 64, in cycle 2
    EXPECT_EQ(f.cycle(0b10), none) << "1 may not load";
    f.in.memory = 0;
    EXPECT_EQ(f.cycle(0b10), 1U) << "but everything else";
    f.in.memory = 0b10;
    EXPECT_EQ(f.cycle(0b11), 0U) << "1 would be greedy, 0 is allowed to";
    // 0's score is down to 4 in cycle 2 + 60.
    while (f.in.cycle < 62) EXPECT_EQ(f.cycle(0b10), none) << f.in.cycle;
    EXPECT_EQ(f.cycle(0b10), 1U);
    EXPECT_EQ(f.declined, 1U + 62U - 6U);
}

TEST(ccws_policy, a_warp_that_ends_leaves_its_score) {
    scored s(10, 8);
    s.start(0);
    s.start(1);
    s.policy.issued(0);
    s.lose(0);
    EXPECT_EQ(s.policy.held_back(0), slots_of({1}));
    s.policy.gone(0);
    EXPECT_EQ(s.policy.held_back(0), 0U);
    s.policy.started(0);
    EXPECT_EQ(s.policy.score(0, 0), 10U);
}

TEST(ccws_policy, scores_its_own_warps_only) {
    scored s(10, 8, 0x5555555555555555U);
    for (unsigned w = 0; w < 4; ++w) s.start(w);
    s.policy.issued(0);
    s.lose(1);
    EXPECT_EQ(s.policy.held_back(0), 0U);
    s.lose(0);  // two are its own: 1 x 8 x 20
    EXPECT_EQ(s.policy.score(0, 0), 160U);
    EXPECT_EQ(s.policy.held_back(0), slots_of({2}));
}

TEST(victim_tags, a_warp_that_misses_what_it_lost_has_lost_locality) {
    victim_tags tags(4, 8, 4, 128);
    EXPECT_FALSE(tags.missed(warp_slot(1), 0x1000));
    tags.lose(warp_slot(1), 0x1000);
    EXPECT_FALSE(tags.missed(warp_slot(2), 0x1000)) << "another warp has lost it";
    EXPECT_TRUE(tags.missed(warp_slot(1), 0x1000));
    EXPECT_FALSE(tags.missed(warp_slot(1), 0x1000)) << "it has the line again";
}

TEST(victim_tags, forget_what_was_lost_longest_ago) {
    victim_tags tags(2, 8, 4, 128);  // two sets: even and odd lines
    for (std::uint32_t line = 0; line < 10; line += 2) tags.lose(warp_slot(0), line * 128);
    tags.lose(warp_slot(0), 1 * 128);
    EXPECT_FALSE(tags.missed(warp_slot(0), 0));
    EXPECT_TRUE(tags.missed(warp_slot(0), 2 * 128));
    tags.lose(warp_slot(0), 4 * 128);  // lost once more: now the latest of its set
    tags.lose(warp_slot(0), 10 * 128);
    tags.lose(warp_slot(0), 12 * 128);
    EXPECT_FALSE(tags.missed(warp_slot(0), 6 * 128));
    EXPECT_TRUE(tags.missed(warp_slot(0), 4 * 128));
    EXPECT_TRUE(tags.missed(warp_slot(0), 1 * 128));
}

TEST(victim_tags, keep_a_line_that_is_lost_twice_once) {
    victim_tags tags(1, 8, 4, 128);
    tags.lose(warp_slot(0), 128);
    tags.lose(warp_slot(0), 128);
    EXPECT_TRUE(tags.missed(warp_slot(0), 128));
    EXPECT_FALSE(tags.missed(warp_slot(0), 128));
}

TEST(victim_tags, a_new_warp_has_lost_nothing) {
    victim_tags tags(2, 8, 4, 128);
    tags.lose(warp_slot(0), 128);
    tags.lose(warp_slot(1), 128);
    tags.clear(warp_slot(0));
    EXPECT_FALSE(tags.missed(warp_slot(0), 128));
    EXPECT_TRUE(tags.missed(warp_slot(1), 128));
}

}  // namespace
}  // namespace heddle
