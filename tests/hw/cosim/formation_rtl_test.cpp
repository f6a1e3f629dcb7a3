// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Reconvergence stacks of RTL beside those of the model, under random control flow that a kernel
// seldom has.
#include <gmock/gmock.h>

#include <vector>

#include "hw/top/exchangeable_parts.h"
#include "models/base/bits.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

using simt::transfer;

/// Takes the warps of a formation through random operations. Stacks of its own say what the groups
/// have to be, and which operations the pipeline could ask for.
class random_control_flow {
public:
    random_control_flow(formation& groups, unsigned warps, unsigned entries)
        : groups_(groups), entries_(entries), random_(1, "control_flow"), warps_(warps) {}

    /// Without `up` the stacks stay low.
    void step(bool up) {
        up_ = up;
        const auto warp = static_cast<unsigned>(random_.below(warps_.size()));
        warp_state& w = warps_[warp];
        if (w.stack.empty()) return start(warp);
        if (w.marked != 0) return transact(warp);
        switch (random_.below(up ? 200 : 16)) {
            case 0:
                return exit(warp);
            case 1:
                return mark(warp);
            case 2:
                return move(warp);
            default:
                return go(warp);
        }
    }

    std::uint64_t overflows = 0, moves = 0, commits = 0;
    std::size_t deepest = 0;

private:
    struct warp_state {
        simt::reconvergence_stack stack;
        std::size_t marked = 0;    ///< entries when its transaction began; 0: there is none
        isa::lane_mask lanes = 0;  ///< of the transaction
    };

    void expect_top(unsigned warp, const warp_group& group) {
        const simt::reconvergence_stack& stack = warps_[warp].stack;
        deepest = std::max(deepest, stack.entries().size());
        ASSERT_EQ(group.lanes, stack.empty() ? 0 : stack.top().lanes);
        ASSERT_EQ(group.pc, stack.empty() ? 0 : stack.top().next_pc);
        ASSERT_EQ(group.limit, stack.empty() ? simt::never : stack.limit());
        const simt::lane_group others = stack.waiting(~isa::lane_mask{0});
        const warp_group waiting = groups_.waiting(warp, ~isa::lane_mask{0});
        ASSERT_EQ(waiting.lanes, others.lanes);
        ASSERT_EQ(waiting.pc, others.pc);
    }

    void start(unsigned warp) {
        const isa::lane_mask lanes = random_.below(32) == 0 ? 0 : random_.next();
        warps_[warp] = {};
        warps_[warp].stack.reset(pc(), lanes);
        const std::uint32_t begin = lanes == 0 ? 0 : warps_[warp].stack.top().next_pc;
        expect_top(warp, groups_.start(warp, begin, lanes));
    }
    void exit(unsigned warp) {
        const isa::lane_mask ends = warps_[warp].stack.top().lanes & random_.next();
        warps_[warp].stack.exit(ends);
        expect_top(warp, groups_.exit(warp, ends));
    }
    /// A warp goes on in another slot.
    void move(unsigned from) {
        const auto to = static_cast<unsigned>(random_.below(warps_.size()));
        if (warps_[to].marked != 0) return;
        std::vector<std::uint32_t> words;
        groups_.save(from, words);
        warps_[to] = warps_[from];
        expect_top(to, groups_.restore(to, words.data()));
        if (from != to) start(from);
        ++moves;
    }
    /// The warp's group goes somewhere. Not out of the entry in which its transaction began.
    void go(unsigned warp) {
        warp_state& w = warps_[warp];
        simt::reconvergence_stack after = w.stack;
        const std::uint32_t limit = w.stack.limit();
        transfer to;
        to.set(transfer::kind::together, random_.below(2) == 0 ? pc() : limit, w.stack.top().lanes);
        if (limit == simt::never || up_ || random_.below(3) == 0) to = any_transfer(w.stack);
        after.follow(to);
        if (after.entries().size() < w.marked) return;
        const bool straight = to.what == transfer::kind::together;
        const std::optional<warp_group> group =
            straight ? groups_.advance(warp, to.groups[0].pc) : groups_.follow(warp, to);
        ASSERT_EQ(group.has_value(), after.entries().size() <= entries_);
        if (!group) {
            ++overflows;
            return start(warp);
        }
        w.stack = after;
        expect_top(warp, *group);
    }
    void mark(unsigned warp) {
        warp_state& w = warps_[warp];
        const std::uint32_t begin = pc();
        w.marked = w.stack.entries().size();
        w.lanes = w.stack.top().lanes;
        w.stack.mark(begin);
        groups_.mark(warp, begin);
    }
    void transact(unsigned warp) {
        warp_state& w = warps_[warp];
        ASSERT_EQ(groups_.at_mark(warp), w.stack.at_mark());
        const isa::lane_mask some = w.lanes & random_.next();
        const std::uint64_t what = random_.below(12);
        if (what == 0) {
            const std::uint32_t on = pc();
            w.stack.release(on);
            w.marked = 0;
            ++commits;
            return expect_top(warp, groups_.release(warp, on));
        }
        if (what == 1 && some != 0) {
            w.stack.rewind(some);
            return expect_top(warp, groups_.rewind(warp, some));
        }
        if (what < 4 || w.stack.top().lanes == 0) {
            w.stack.leave(some);
            return expect_top(warp, groups_.leave(warp, some));
        }
        go(warp);
    }

    /// Few, so that groups meet often.
    std::uint32_t pc() { return static_cast<std::uint32_t>(0x100 + 4 * random_.below(6)); }
    /// One to four groups with different PCs.
    void groups_of(transfer& to, isa::lane_mask lanes) {
        const auto first = pc();
        const std::uint64_t most = 1 + random_.below(4);
        to.count = 0;
        while (lanes != 0) {
            const bool last = to.count + 1 == most;
            const isa::lane_mask some = last ? lanes : lanes & random_.next();
            if (some == 0) continue;
            to.groups[to.count] = {first + 0x40 * (to.count % 2) + 4 * (to.count / 2), some};
            ++to.count;
            lanes &= ~some;
        }
    }
    transfer any_transfer(const simt::reconvergence_stack& stack) {
        transfer to;
        const std::uint64_t what = random_.below(up_ ? 6 : 8);
        groups_of(to, stack.top().lanes);
        to.return_address = pc();
        to.reconvergence_pc = random_.below(3) == 0 ? program::function_exit : pc();
        if (what < 4) {
            to.what = transfer::kind::part;
        } else if (what < 6) {
            to.what = transfer::kind::call;
        } else {
            to.what = transfer::kind::ret;
            // Mostly to where the call was.
            if (what == 6) {
                to.set(transfer::kind::ret, stack.top().reconvergence_pc, stack.top().lanes);
            }
        }
        return to;
    }

    formation& groups_;
    const unsigned entries_;
    random_stream random_;
    std::vector<warp_state> warps_;
    bool up_ = false;
};

class formation_rtl : public testing::TestWithParam<slot_implementation> {};

TEST_P(formation_rtl, agrees_on_random_control_flow) {
    for (const unsigned entries : {1U, 5U, 24U, 128U}) {
        SCOPED_TRACE(entries);
        slot_rig rig;
        const auto part = rig.maker(exchangeable_parts().formation, GetParam())
                              .make({64, entries}, "gpu.smx_0.formation");
        random_control_flow driver(*part, entries == 5 ? 64 : 3, entries);
        for (int step = 0; step < 40'000; ++step) {
            rig.clock.now = static_cast<std::uint64_t>(step);
            driver.step(step / 2000 % 2 != 0);
            ASSERT_FALSE(HasFatalFailure()) << step;
            ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
        }
        EXPECT_EQ(driver.deepest, entries);
        EXPECT_GT(driver.overflows, 20U);
        EXPECT_GT(driver.moves, 100U);
        EXPECT_GT(driver.commits, 100U);
    }
}

INSTANTIATE_TEST_SUITE_P(with, formation_rtl,
                         testing::Values(slot_implementation::rtl, slot_implementation::shadow),
                         [](const auto& info) {
                             return std::string(info.param == slot_implementation::rtl ? "rtl"
                                                                                       : "shadow");
                         });

TEST(formation_rtl_setting, a_stack_without_limit_has_no_rtl) {
    slot_rig rig;
    const auto maker = rig.maker(exchangeable_parts().formation, slot_implementation::rtl);
    for (const unsigned entries : {0U, 129U}) {
        try {
            (void)maker.make({64, entries}, "gpu.smx_0.formation");
            FAIL() << entries;
        } catch (const configuration_error& error) {
            EXPECT_EQ(error.what(),
                      "slot.formation: smx.stack_entries = " + std::to_string(entries) +
                          "; legal with rtl and shadow: 1 to 128");
        }
    }
}

}  // namespace
}  // namespace heddle
