// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/turn_sleep.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/hw/base/simulate.h"

namespace heddle {
namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};

/// Sleeps with an interval of 4; before edge 10 a turn might issue.
class turn_sleeper : public clocked {
public:
    explicit turn_sleeper(clock_domain& domain) : clocked(domain, "sleeper") { wake_at(10); }
    void evaluate() override {}
    activity update() override {
        const std::uint64_t edge = domain().edge();
        const front_rest front{never, turn, may_issue && edge < 10, false};
        dues.push_back(sleep.due(*this, front));
        return activity::idle;
    }
    turn_sleep sleep{4, false};
    std::uint64_t turn = never;
    bool may_issue = false;
    std::vector<std::uint64_t> dues;
};

TEST(turn_sleep, edges_run_until_all_schedulers_have_had_a_turn) {
    clock_domain core("core", frequency::megahertz(1000));
    turn_sleeper part(core);
    simulate();
    EXPECT_EQ(core.executed_edges(), 6U) << "0 to 4, and 10";
}

TEST(turn_sleep, edges_run_while_a_turn_might_issue) {
    clock_domain core("core", frequency::megahertz(1000));
    turn_sleeper part(core);
    part.may_issue = true;
    simulate();
    EXPECT_EQ(core.executed_edges(), 11U) << "0 to 10, and no more";
}

TEST(turn_sleep, turns_are_due_up_to_an_interval_after_a_change) {
    clock_domain core("core", frequency::megahertz(1000));
    turn_sleeper part(core);
    part.sleep.changed(3);
    part.turn = 7;
    simulate();
    EXPECT_EQ(part.dues.front(), 7U);
    EXPECT_EQ(part.sleep.due(part, {never, 8, false, false}), never);
}

}  // namespace
}  // namespace heddle
