// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Up to which time edges may be late.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/late_edges.h"
#include "hw/base/run_control.h"
#include "tests/hw/base/child_process.h"

namespace heddle {
namespace {

/// Asked whether edges may be late.
class asked_part final : public clocked, public late_part {
public:
    asked_part(clock_domain& domain, std::uint64_t ahead)
        : clocked(domain, "asked"), ahead_(ahead) {}
    void evaluate() override {}
    activity update() override { return activity::busy; }
    std::uint64_t lookahead() const override { return ahead_; }
    bool may_be_late(std::uint64_t edges) const override {
        asked = edges;
        return edges <= room;
    }
    void caught_up() override {}

    mutable std::uint64_t asked = 0;
    std::uint64_t room = 1000;

private:
    const std::uint64_t ahead_;
};

/// Calls `on_evaluate` at its first edge.
class asking_part final : public clocked {
public:
    using clocked::clocked;
    void evaluate() override { on_evaluate(); }
    activity update() override { return activity::idle; }
    std::function<void()> on_evaluate;
};

/// Text of `asks`, which is called before edge 2 of the parts, at 1500 MHz, edge k at k x 666.67
/// ps.
std::string asked_by(const std::vector<std::uint64_t>& lookaheads,
                     const std::function<std::string(late_edges&, asked_part& first)>& asks) {
    const process_result result = run_in_child([&](std::string& output) {
        run_status status;
        run_control control{status};
        clock_domain memory{"memory", frequency::megahertz(1500), {&control}};
        clock_domain core{"core", frequency::megahertz(1000), {&control}};
        std::vector<std::unique_ptr<asked_part>> parts;
        late_edges late;
        for (const std::uint64_t ahead : lookaheads) {
            parts.push_back(std::make_unique<asked_part>(memory, ahead));
            late.add(*parts.back(), *parts.back());
        }
        asking_part asking(core, "asking");
        asking.on_evaluate = [&] {
            if (core.edge() == 0) return asking.wake_at(1);  // at 1000 ps
            late.prepare();
            output = asks(late, *parts.front());
            control.finish();
        };
        control.run();
        return 0;
    });
    EXPECT_EQ(result.exit_code, 0);
    return result.output;
}

TEST(late_window, wait_as_long_as_the_shortest_lookahead) {
    const auto asks = [](late_edges& late, asked_part& part) {
        std::string all;
        // The last one is edge 2 + 6, at 5333 ps.
        for (const std::uint64_t time : {1333U, 2000U, 5332U, 5333U, 5334U, 6000U}) {
            part.asked = 0;
            all += late.may_wait_until(time) ? " yes" : " no";
            all += std::to_string(part.asked);
        }
        return all;
    };
    EXPECT_EQ(asked_by({6}, asks), " yes1 yes2 yes6 yes7 no0 no0");
    EXPECT_EQ(asked_by({9, 6, 7}, asks), " yes1 yes2 yes6 yes7 no0 no0");
}

TEST(late_window, wait_for_32_edges_at_most) {
    const auto asks = [](late_edges& late, asked_part& part) {
        std::string all;
        // Edge 2 + 31 is at 22000 ps, the one behind at 22666 ps.
        for (const std::uint64_t time : {22000U, 22665U, 22666U}) {
            part.asked = 0;
            all += late.may_wait_until(time) ? " yes" : " no";
            all += std::to_string(part.asked);
        }
        return all;
    };
    EXPECT_EQ(asked_by({1000}, asks), " yes32 yes32 no0");
}

TEST(late_window, one_part_may_say_no) {
    const auto asks = [](late_edges& late, asked_part& part) {
        part.room = 3;
        const bool three = late.may_wait_until(3332);
        return std::to_string(three ? 1 : 0) + (late.may_wait_until(3333) ? "1" : "0");
    };
    EXPECT_EQ(asked_by({9, 9, 9}, asks), "10");
}

}  // namespace
}  // namespace heddle
