// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Edges of a domain that run although nobody is awake.
#include <gmock/gmock.h>

#include <functional>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "tests/hw/base/simulate.h"

namespace heddle {
namespace {

using testing::ElementsAre;

/// A part that sleeps after each edge, and does before what the test says.
class sleeper : public clocked {
public:
    sleeper(clock_domain& domain, std::function<void(sleeper&)> before)
        : clocked(domain, "sleeper"), before_(std::move(before)) {}
    void evaluate() override { edges.push_back(domain().edge()); }
    activity update() override {
        before_(*this);
        return activity::idle;
    }
    std::vector<std::uint64_t> edges;

private:
    std::function<void(sleeper&)> before_;
};

TEST(kept_edges, the_next_edge_runs) {
    clock_domain core("core", frequency::megahertz(1000));
    sleeper part(core, [&](sleeper& it) {
        if (core.edge() == 4) it.keep_next_edge();
    });
    part.wake_at(4);
    simulate();
    EXPECT_THAT(part.edges, ElementsAre(0, 4));
    EXPECT_EQ(core.executed_edges(), 3U) << "edge 5 has run, for nobody, and 6 has not";
}

TEST(kept_edges, edges_run_up_to_the_last_that_a_part_wants) {
    clock_domain core("core", frequency::megahertz(1000));
    sleeper longer(core, [](sleeper& it) { it.keep_edges_until(6); });
    sleeper shorter(core, [](sleeper& it) { it.keep_edges_until(3); });
    longer.wake_at(20);
    simulate();
    EXPECT_THAT(longer.edges, ElementsAre(0, 20));
    EXPECT_THAT(shorter.edges, ElementsAre(0));
    EXPECT_EQ(core.executed_edges(), 8U) << "0 to 6, and 20";
}

TEST(kept_edges, all_edges_run_until_each_part_has_taken_it_back) {
    clock_domain core("core", frequency::megahertz(1000));
    const auto until = [&](std::uint64_t last) {
        return [&core, last](sleeper& it) {
            if (core.edge() <= last) it.keep_edges(core.edge() < last);
        };
    };
    sleeper first(core, until(5)), second(core, until(9));
    first.wake_at(5);
    second.wake_at(9);
    second.wake_at(30);
    simulate();
    EXPECT_THAT(first.edges, ElementsAre(0, 5));
    EXPECT_THAT(second.edges, ElementsAre(0, 9, 30));
    EXPECT_EQ(core.executed_edges(), 11U) << "0 to 9, and 30";
}

}  // namespace
}  // namespace heddle
