// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx/warp_scheduler/warp_age.h"
#include "models/base/random.h"
#include "tb/warp_scheduler_reference.h"
#include "tests/hw/smx/selection_fixture.h"

/// The selection policies without a simulation: exact scenarios, and random traffic against a
/// reference that sorts.
namespace heddle {
namespace {

using ::testing::ElementsAre;

using fixture = selection_fixture;

TEST(lrr_policy, takes_turns_from_the_last_issued_on) {
    fixture f(selection_policies::key<loose_round_robin>);
    f.start({0, 1, 2, 3});
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(6, 0b1111)), ElementsAre(0, 1, 2, 3, 0, 1));
    // 2 can't: it is skipped, and has no right to be next when it can again.
    EXPECT_THAT(f.cycles({0b1011, 0b1111, 0b0001, 0b1111}), ElementsAre(3, 0, 0, 1));
    // Nobody can: the turn stays where it is.
    EXPECT_THAT(f.cycles({0, 0, 0b1111}), ElementsAre(none, none, 2));
}

TEST(lrr_policy, wraps_at_the_last_slot) {
    fixture f(selection_policies::key<loose_round_robin>);
    f.start({0, 62, 63});
    EXPECT_THAT(f.cycles(std::vector<std::uint64_t>(5, slots_of({0, 62, 63}))),
                ElementsAre(0, 62, 63, 0, 62));
    EXPECT_THAT(f.cycles({slots_of({63}), slots_of({63}), slots_of({0, 63})}),
                ElementsAre(63, 63, 0));
}

TEST(lrr_policy, does_not_care_about_age_or_reuse) {
    fixture f(selection_policies::key<loose_round_robin>);
    f.start({2});
    f.start({0, 1});
    EXPECT_THAT(f.cycles({0b111, 0b111}), ElementsAre(0, 1));
    f.cycle(0, slots_of({1}), slots_of({1}));  // a new warp in the slot that issued last
    EXPECT_THAT(f.cycles({0b111, 0b111}), ElementsAre(2, 0));
}

TEST(gto_policy, is_greedy_then_takes_the_oldest) {
    fixture f(selection_policies::key<greedy_then_oldest>);
    f.start({3});
    f.start({1});
    f.start({2, 0});
    // Oldest first: 3, 1, then 0 before 2 of the same cycle.
    EXPECT_THAT(f.cycles({0b0101, 0b0101, 0b0111, 0b1111}), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(f.cycles({0b0110, 0b1111, 0b1101, 0b1111}), ElementsAre(1, 1, 3, 3));
    EXPECT_THAT(f.cycles({0b0100, 0b1111}), ElementsAre(2, 2));
    EXPECT_THAT(f.cycles({0b0011, 0b0001, 0b1111, 0b0000, 0b1111}), ElementsAre(1, 0, 0, none, 0));
}

TEST(gto_policy, a_cycle_in_which_nobody_can_leaves_the_greedy_warp) {
    fixture f(selection_policies::key<greedy_then_oldest>);
    f.start({0});
    f.start({1});
    EXPECT_THAT(f.cycles({0b10, 0, 0, 0b11, 0b01, 0b11}), ElementsAre(1, none, none, 1, 0, 0));
}

TEST(gto_policy, warps_of_one_cycle_are_in_the_order_of_their_slots) {
    fixture f(selection_policies::key<greedy_then_oldest>);
    f.start({63, 7, 31});
    EXPECT_EQ(f.cycle(slots_of({63, 31})), 31U);
    EXPECT_EQ(f.cycle(slots_of({63, 7})), 7U);
    EXPECT_EQ(f.cycle(slots_of({63})), 63U);
}

TEST(gto_policy, a_new_warp_in_an_old_slot_is_the_youngest) {
    fixture f(selection_policies::key<greedy_then_oldest>);
    f.start({0, 1, 2});
    EXPECT_EQ(f.cycle(0b111), 0U);
    f.cycle(0, slots_of({0}), slots_of({0}));  // without an empty cycle in between
    EXPECT_EQ(f.cycle(0b111), 1U) << "greed went to a warp that has ended";
    EXPECT_EQ(f.cycle(0b101), 2U);
    f.cycle(0, 0, slots_of({1}));
    f.start({1});
    EXPECT_THAT(f.cycles({0b010, 0b001, 0b010, 0b011, 0b001, 0b110}),
                ElementsAre(1, 0, 1, 1, 0, 2));
}

TEST(gto_policy, an_ended_warp_loses_the_greed_even_if_the_slot_stays_empty) {
    fixture f(selection_policies::key<greedy_then_oldest>);
    f.start({5});
    f.start({4});
    EXPECT_EQ(f.cycle(slots_of({4})), 4U);
    EXPECT_EQ(f.cycle(slots_of({5}), 0, slots_of({4})), 5U);
    f.start({4});
    EXPECT_EQ(f.cycle(slots_of({4, 5})), 5U);
}

TEST(warp_age, of_all_slots) {
    warp_age age;
    for (unsigned i = 0; i < 64; ++i) {
        age.started((i * 37 + 11) % 64);
    }
    EXPECT_EQ(age.live(), ~std::uint64_t{0});
    std::uint64_t left = ~std::uint64_t{0};
    for (unsigned i = 0; i < 64; ++i) {
        const unsigned oldest = age.oldest(left);
        EXPECT_EQ(oldest, (i * 37 + 11) % 64);
        EXPECT_EQ(age.older(oldest, left), 0U);
        EXPECT_EQ(__builtin_popcountll(age.older(oldest, age.live())), static_cast<int>(i));
        left &= ~(std::uint64_t{1} << oldest);
    }
}

std::uint64_t mask_of(const std::array<bool, 64>& flags) {
    std::uint64_t mask = 0;
    for (unsigned slot = 0; slot < 64; ++slot) mask |= std::uint64_t{flags[slot]} << slot;
    return mask;
}

class every_policy : public ::testing::TestWithParam<selection_policy> {};

/// decide() may be asked any number of times; only the edge counts, with the last inputs.
TEST_P(every_policy, deciding_twice_changes_nothing) {
    fixture once(GetParam());
    fixture twice(GetParam());
    once.start({0, 1, 2, 3});
    twice.start({0, 1, 2, 3});
    for (const std::uint64_t issuable : {0b1111, 0b0110, 0b1001, 0b1111}) {
        selection_inputs other = twice.in;
        other.issuable = 0b1000;
        (void)twice.part->decide(other);
        EXPECT_EQ(once.cycle(issuable), twice.cycle(issuable));
    }
}

TEST_P(every_policy, reset_forgets_everything) {
    fixture used(GetParam());
    used.start({1});
    used.start({0});
    used.cycle(0b10);
    // Also a decision whose edge has not come.
    used.in.ready = used.in.issuable = 0b01;
    (void)used.part->decide(used.in);
    used.part->reset();
    used.part->clock_edge();
    used.in = {};
    fixture fresh(GetParam());
    for (const std::uint64_t issuable : {0b0, 0b11, 0b10, 0b11, 0b01}) {
        const std::uint64_t started = issuable == 0 ? 0b11 : 0;
        EXPECT_EQ(used.cycle(issuable, started), fresh.cycle(issuable, started));
    }
}

/// Random lives of warps: slots are reused at once, several warps start in a cycle, warps stall for
/// a while or not at all, wait for memory, and lose lines. Returns in how many cycles the policy
/// held back all that could issue.
std::uint64_t random_traffic(selection_policy policy, std::uint64_t seed) {
    random_stream random(seed, "warps");
    warp_scheduler_configuration configuration = fixture::configured(policy);
    configuration.policies.of<two_level_configuration>().fetch_group =
        1 + static_cast<unsigned>(random.below(20));
    configuration.policies.of<ccws_configuration>().throttle =
        1 + static_cast<unsigned>(random.below(30));
    const unsigned schedulers = 1 + static_cast<unsigned>(random.below(3));
    std::uint64_t own = 0;
    for (unsigned slot = 0; slot < 64; slot += schedulers) own |= slots_of({slot});
    fixture f(configuration, own);
    reference_scheduler reference(configuration, 0, schedulers);
    std::array<std::uint64_t, 64> stalled{};
    const std::uint64_t longest_stall = 1 + random.below(40);
    const double birth = 0.001 + random.uniform() * 0.2;
    for (std::uint64_t cycle = 1; cycle <= 4000; ++cycle) {
        std::uint64_t started = 0, ended = 0, issuable = 0;
        reference_scheduler::signals signals;
        signals.cycle = f.in.cycle;
        for (unsigned slot = 0; slot < 64; ++slot) {
            const bool lives = (f.in.resident >> slot & 1) != 0;
            const bool ends = lives && random.chance(0.01);
            const bool starts = (!lives || ends) && random.chance(birth);
            ended |= std::uint64_t{ends} << slot;
            started |= std::uint64_t{starts} << slot;
            const bool stalls = stalled[slot] >= cycle;
            signals.issuable[slot] = lives && !ends && !stalls && slot % schedulers == 0;
            signals.memory[slot] = random.chance(0.5);
            signals.long_latency[slot] = stalls && random.chance(0.7);
            signals.memory_done[slot] = random.chance(0.02);
            signals.lost_locality[slot] = random.chance(0.003);
            issuable |= std::uint64_t{signals.issuable[slot]} << slot;
        }
        f.in.memory = mask_of(signals.memory);
        f.in.long_latency = mask_of(signals.long_latency);
        f.in.memory_done = mask_of(signals.memory_done);
        f.in.lost_locality = mask_of(signals.lost_locality);
        signals.started = started;
        signals.ended = ended;
        const std::optional<unsigned> expected = reference.cycle(signals);
        const unsigned got = f.cycle(issuable, started, ended);
        EXPECT_EQ(got, expected.value_or(none)) << "seed " << seed << ", cycle " << cycle;
        if (got != expected.value_or(none)) return 0;
        if (expected && random.chance(0.3)) {
            stalled[*expected] = cycle + random.below(longest_stall);
        }
    }
    EXPECT_GT(reference.switches(), 100U);
    EXPECT_EQ(reference.declined(), f.declined);
    return f.declined;
}

TEST_P(every_policy, agrees_with_the_reference) {
    std::uint64_t declined = 0;
    for (std::uint64_t seed = 1; seed <= 25; ++seed) declined += random_traffic(GetParam(), seed);
    EXPECT_EQ(declined != 0, GetParam() == selection_policies::key<cache_conscious>);
}

INSTANTIATE_TEST_SUITE_P(policies, every_policy, ::testing::ValuesIn(selection_policies::all()),
                         [](const auto& tested) { return selection_policies::name(tested.param); });

TEST(warp_selection, signals_print_for_reports) {
    std::ostringstream text;
    selection_inputs in;
    in.resident = 0x1f;
    text << in << ' ' << 10;
    EXPECT_EQ(text.str(),
              "{resident 0x1f, ready 0x0, issuable 0x0, memory 0x0, long_latency 0x0, memory_done "
              "0x0, started 0x0, lost_locality 0x0, cycle 0} 10");
}

}  // namespace
}  // namespace heddle
