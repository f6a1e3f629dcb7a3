// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Random divergent threads: no thread is lost, and with infinite resources each group is that of a
// naive model.
#include <algorithm>
#include <list>
#include <map>
#include <tuple>

#include "models/base/random.h"
#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

/// The same policies over plain lists, without hardware.
class naive_former {
public:
    struct warp {
        std::uint32_t pc;
        unsigned block;
        std::map<unsigned, unsigned> threads;  ///< by lane
        unsigned long opened;
        std::uint32_t passed = 0;
    };

    naive_former(const dwf_configuration& configuration, const protocol::thread_program& code)
        : policy_(configuration.policy), code_(code) {}

    void arrive(std::uint32_t pc, unsigned block, const std::map<unsigned, unsigned>& threads) {
        std::map<unsigned, unsigned> left;
        warp* open = nullptr;
        for (warp& each : warps_) {
            // Only the warp that was opened last takes threads.
            if (each.opened == last_opened_[{pc, block}]) open = &each;
        }
        if (open != nullptr) {
            for (const auto& [lane, thread] : threads) {
                if (!open->threads.emplace(lane, thread).second) left.emplace(lane, thread);
            }
        } else {
            left = threads;
        }
        if (!left.empty()) {
            warps_.push_back({pc, block, left, ++opened_});
            last_opened_[{pc, block}] = opened_;
        }
        for (warp& each : warps_) {
            for (const auto& [lane, thread] : each.threads) {
                if (threads.count(lane) == 0 || threads.at(lane) != thread) continue;
                each.passed = std::max(each.passed, passed_[thread] + code_.flags[pc / 4] % 2);
            }
        }
    }
    warp pick() {
        if (warps_.empty()) return {};
        std::map<std::uint32_t, unsigned> count;
        for (const warp& each : warps_) count[each.pc] += each.threads.size();
        if (count.count(chosen_) == 0 || !has_chosen_) {
            const bool most = policy_ == warp_policies::key<majority_policy>;
            chosen_ = count.begin()->first;
            for (const auto& [pc, threads] : count) {
                if (most ? threads > count[chosen_] : threads < count[chosen_]) chosen_ = pc;
            }
            has_chosen_ = true;
        }
        const auto best =
            std::min_element(warps_.begin(), warps_.end(),
                             [&](const warp& a, const warp& b) { return rank(a) < rank(b); });
        warp issued = *best;
        warps_.erase(best);
        for (const auto& each : issued.threads) passed_[each.second] = issued.passed;
        has_chosen_ = std::any_of(warps_.begin(), warps_.end(),
                                  [&](const warp& each) { return each.pc == chosen_; });
        return issued;
    }

private:
    using order = std::tuple<std::uint32_t, int, unsigned long>;
    [[nodiscard]] order rank(const warp& of) const {
        const int size = -static_cast<int>(of.threads.size());
        if (policy_ == warp_policies::key<pc_policy>) return {of.pc, size, of.opened};
        if (policy_ == warp_policies::key<pdom_priority_policy>) {
            return {of.passed, size, of.opened};
        }
        if (policy_ == warp_policies::key<time_policy>) return {0, 0, of.opened};
        return {of.pc == chosen_ ? 0 : 1, 0, of.opened};
    }

    const warp_policy_kind policy_;
    const protocol::thread_program& code_;
    std::list<warp> warps_;
    std::map<unsigned, std::uint32_t> passed_;
    unsigned long opened_ = 0;
    std::map<std::pair<std::uint32_t, unsigned>, unsigned long> last_opened_;
    std::uint32_t chosen_ = 0;
    bool has_chosen_ = false;
};

/// 24 warps of 32 threads in blocks of 6 run through random code of `codes` instructions.
class traffic {
public:
    traffic(const dwf_configuration& configuration, std::uint64_t seed, unsigned codes)
        : f(32, 4, configuration, 768),
          random_(seed, "dwf_traffic"),
          codes_(codes),
          naive_(configuration, f.code) {
        for (unsigned i = 0; i < codes; i += 3) f.code.flags[i] = program::reconvergence_point;
        for (unsigned warp = 0; warp < 24; ++warp) {
            issued_group group{0, warp / 6, bits::below(32), {}, 0};
            for (unsigned lane = 0; lane < 32; ++lane) group.threads.push_back(32 * warp + lane);
            flights_.push_back({0, 0, group, group.lanes});
        }
    }
    /// Runs until each thread has executed `length` instructions; false: some have not in time.
    bool run(unsigned length, bool against_naive) {
        std::vector<unsigned> done(768);
        unsigned live = 768;
        for (turn_ = 0; turn_ < 400000 && live != 0; ++turn_) {
            come_back(against_naive);
            const issued_group group = f.turn();
            if (against_naive) compare(group);
            if (testing::Test::HasFailure()) return false;
            check(group);
            isa::lane_mask going = 0;
            for (std::size_t i = 0; i < group.threads.size(); ++i) {
                where_[group.threads[i]] = in_flight;
                if (++done[group.threads[i]] == length) {
                    --live;
                } else {
                    going |= bits::one(lane_of(group, i));
                }
            }
            branch(group, going);
            if (testing::Test::HasFailure()) return false;
        }
        return live == 0;
    }

    dwf_fixture f;

private:
    static constexpr std::uint32_t in_flight = ~0U;
    struct flight {
        unsigned turn;
        std::uint32_t pc;
        issued_group group;
        isa::lane_mask lanes;
    };

    static unsigned lane_of(const issued_group& group, std::size_t thread) {
        isa::lane_mask left = group.lanes;
        while (thread-- != 0) left &= left - 1;
        return bits::first(left);
    }
    static std::map<unsigned, unsigned> by_lane(const issued_group& group, isa::lane_mask lanes) {
        std::map<unsigned, unsigned> threads;
        for (std::size_t i = 0; i < group.threads.size(); ++i) {
            const unsigned lane = lane_of(group, i);
            if (bits::test(lanes, lane)) threads[lane] = group.threads[i];
        }
        return threads;
    }
    void come_back(bool against_naive) {
        std::vector<flight> later;
        for (const flight& each : flights_) {
            if (each.turn > turn_) {
                later.push_back(each);
                continue;
            }
            // No swizzling, so that a thread of a static warp returns to its home lane.
            f.arrive(each.pc, each.group, each.lanes);
            const auto threads = by_lane(each.group, each.lanes);
            for (const auto& thread : threads) {
                EXPECT_TRUE(where_.count(thread.second) == 0 || where_[thread.second] == in_flight);
                where_[thread.second] = each.pc;
                block_[thread.second] = each.group.block;
            }
            if (against_naive) naive_.arrive(each.pc, each.group.block, threads);
        }
        flights_ = later;
    }
    void branch(const issued_group& group, isa::lane_mask going) {
        const isa::lane_mask taken = random_.chance(0.4) ? random_.next() : 0;
        for (const isa::lane_mask side : {going & ~taken, going & taken}) {
            if (side == 0) continue;
            const auto pc = static_cast<std::uint32_t>(4 * random_.below(codes_));
            // Loads return lane by lane now and then.
            const isa::lane_mask late = random_.chance(0.2) ? random_.next() : 0;
            for (const isa::lane_mask part : {side & ~late, side & late}) {
                const auto turns = static_cast<unsigned>(1 + random_.below(part == side ? 6 : 40));
                if (part != 0) flights_.push_back({turn_ + turns, pc, group, part});
            }
        }
    }
    void check(const issued_group& group) {
        for (const unsigned thread : group.threads) {
            EXPECT_EQ(where_.at(thread), group.pc) << "thread " << thread;
            EXPECT_EQ(block_.at(thread), group.block) << "thread " << thread;
        }
        unsigned waiting = 0;
        for (const auto& each : where_) waiting += each.second != in_flight ? 1 : 0;
        const former_occupancy with = f.former->occupancy();
        EXPECT_LE(with.arriving + with.overflow, waiting - group.threads.size());
        EXPECT_LE(with.groups, waiting);
        if (!f.configuration.lane_aware) return;
        for (std::size_t i = 0; i < group.threads.size(); ++i) {
            EXPECT_EQ(lane_of(group, i), group.threads[i] % 32);
        }
    }
    void compare(const issued_group& group) {
        const naive_former::warp expected = naive_.pick();
        std::vector<unsigned> threads;
        for (const auto& each : expected.threads) threads.push_back(each.second);
        EXPECT_EQ(group.threads, threads) << "turn " << turn_;
        EXPECT_EQ(group.pc, group.lanes == 0 ? 0 : expected.pc);
    }

    random_stream random_;
    const unsigned codes_;
    naive_former naive_;
    unsigned turn_ = 0;
    std::vector<flight> flights_;
    std::map<unsigned, std::uint32_t> where_;  ///< PC at which a thread waits, or in_flight
    std::map<unsigned, unsigned> block_;
};

dwf_configuration of(warp_policy_kind policy) {
    dwf_configuration configuration = dwf_fixture::with(policy);
    configuration.swizzling = lane_swizzling::none;
    return configuration;
}

TEST(dwf_random, infinite_resources_form_the_groups_of_a_naive_model) {
    for (const warp_policy_kind policy : warp_policies::all()) {
        SCOPED_TRACE(warp_policies::name(policy));
        dwf_configuration configuration = of(policy);
        configuration.infinite_resources = true;
        configuration.patience = 0;
        for (const unsigned codes : {5U, 60U}) {
            traffic t(configuration, codes, codes);
            ASSERT_TRUE(t.run(20, true));
        }
    }
}

TEST(dwf_random, no_thread_is_lost_with_the_resources_of_the_thesis) {
    for (const warp_policy_kind policy : warp_policies::all()) {
        SCOPED_TRACE(warp_policies::name(policy));
        traffic t(of(policy), 3, 40);
        ASSERT_TRUE(t.run(30, false));
        EXPECT_GT(t.f.former->counts().joined, 0U);
    }
}

TEST(dwf_random, no_thread_is_lost_with_hardly_any_resources) {
    for (const warp_policy_kind policy : warp_policies::all()) {
        SCOPED_TRACE(warp_policies::name(policy));
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            dwf_configuration configuration = of(policy);
            configuration.pool_entries = 16;
            configuration.lut_entries = 4;
            configuration.lut_ways = 2;
            configuration.policies.of<heap_configuration>() = {5, 3, 3};
            configuration.overflow_latency = 40;
            configuration.patience = 500;
            configuration.lane_aware = seed != 3;
            configuration.home_lanes = home_lane_count::warp;
            traffic t(configuration, seed, 200);
            ASSERT_TRUE(t.run(20, false));
            EXPECT_GT(t.f.former->counts().overflows, 0U);
            EXPECT_GT(t.f.former->counts().lut_replacements, 0U);
        }
    }
}

}  // namespace
}  // namespace heddle
