// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Max-Heap with its swaps, MHeap LUT and Majority Entry.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>

#include "hw/smx/thread_pool/dwf/majority_policy.h"
#include "hw/smx/thread_pool/dwf/minority_policy.h"
#include "models/base/random.h"
#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using room = warp_policy::room;

struct heap_rig {
    heap_lut lut{128, 8, full_set::replaces};
    pc_heap heap;
    std::uint64_t clock = 1;

    explicit heap_rig(pc_heap::root order) : heap(order, 64, lut) {}

    void add(std::uint32_t pc, std::uint32_t threads) {
        const heap_lut::place at = lut.room({pc, 0}, ++clock);
        lut.insert(at, {pc, 0}, heap.size(), clock);
        heap.add({{pc, threads, no_pool_index, no_pool_index}, at});
    }
    void set(std::uint32_t pc, std::uint32_t threads) {
        const pc_heap::position at = lut[lut.find({pc, 0})];
        heap[at].warps.threads = threads;
        heap.changed(at);
    }
    /// Clocks until it is balanced.
    unsigned balance() {
        unsigned clocks = 0;
        for (; !heap.balanced(); ++clocks) heap.swap_once();
        return clocks;
    }
    void remove(pc_heap::position at) {
        lut.remove(heap[at].lut);
        heap.remove(at);
    }
    /// Every entry is where the LUT says, and none belongs above its parent.
    void check(bool most) const {
        for (pc_heap::position at = 0; at < heap.size(); ++at) {
            const pc_warps& warps = heap[at].warps;
            ASSERT_EQ(lut[lut.find({warps.pc, 0})], at);
            if (at == 0) continue;
            const pc_warps& parent = heap[(at - 1) / 2].warps;
            if (warps.threads == parent.threads) {
                ASSERT_GT(warps.pc, parent.pc);
            } else {
                ASSERT_EQ(warps.threads < parent.threads, most);
            }
        }
    }
    [[nodiscard]] std::vector<std::uint32_t> drain() {
        std::vector<std::uint32_t> pcs;
        while (heap.size() != 0) {
            pcs.push_back(heap[0].warps.pc);
            remove(0);
            balance();
        }
        return pcs;
    }
};

TEST(dwf_heap, an_entry_rises_by_one_swap_a_clock) {
    heap_rig r(pc_heap::root::most_threads);
    for (std::uint32_t pc = 0; pc < 7; ++pc) r.add(4 * pc, 100 - pc);
    EXPECT_TRUE(r.heap.balanced());
    r.add(28, 1);
    EXPECT_TRUE(r.heap.balanced()) << "it belongs where it is: no clock";
    r.set(28, 200);
    EXPECT_FALSE(r.heap.balanced());
    EXPECT_EQ(r.balance(), 3U) << "from the fourth level to the root";
    EXPECT_EQ(r.heap[0].warps.pc, 28U);
    EXPECT_EQ(r.heap.swaps(), 3U);
    r.check(true);
}

TEST(dwf_heap, two_entries_rise_in_the_same_clocks) {
    heap_rig r(pc_heap::root::most_threads);
    for (std::uint32_t pc = 0; pc < 15; ++pc) r.add(4 * pc, 100 - pc);
    r.set(4 * 7, 200);
    r.set(4 * 14, 300);
    EXPECT_EQ(r.balance(), 4U) << "in the third clock the first one swaps with the root";
    EXPECT_EQ(r.heap[0].warps.pc, 4 * 14U);
    EXPECT_EQ(r.heap.swaps(), 6U);
    r.check(true);
}

TEST(dwf_heap, of_two_entries_that_sink_the_lower_one_is_first) {
    heap_rig r(pc_heap::root::fewest_threads);
    for (std::uint32_t pc = 0; pc < 60; pc += 4) r.add(pc, 10 + pc);
    // 10; 14 18; 22 26 30 34; 38 ... The root gets 24, and its left child 90, which sinks by two
    // levels: 22 has to become the root's left child before the root may change places with it.
    r.set(0, 24);
    r.set(4, 90);
    EXPECT_EQ(r.balance(), 3U);
    EXPECT_EQ(r.heap[0].warps.pc, 8U);
    EXPECT_EQ(r.heap[1].warps.pc, 12U);
    EXPECT_EQ(r.heap[2].warps.pc, 0U);
    r.check(false);
}

TEST(dwf_heap, the_last_entry_takes_the_place_of_the_root_and_sinks) {
    heap_rig r(pc_heap::root::most_threads);
    for (std::uint32_t pc = 0; pc < 15; ++pc) r.add(4 * pc, 100 - pc);
    r.remove(0);
    EXPECT_FALSE(r.heap.balanced());
    EXPECT_EQ(r.balance(), 3U);
    r.check(true);
}

TEST(dwf_heap, of_equal_entries_the_lower_pc_is_first) {
    for (const auto order : {pc_heap::root::most_threads, pc_heap::root::fewest_threads}) {
        heap_rig r(order);
        for (const std::uint32_t pc : {12U, 8U, 20U, 4U, 16U}) {
            r.add(pc, 7);
            r.balance();
        }
        EXPECT_THAT(r.drain(), ElementsAre(4, 8, 12, 16, 20));
    }
}

TEST(dwf_heap, is_a_heap_after_any_two_changes) {
    for (const bool most : {true, false}) {
        heap_rig r(most ? pc_heap::root::most_threads : pc_heap::root::fewest_threads);
        random_stream random(1, most ? "most" : "fewest");
        std::map<std::uint32_t, std::uint32_t> threads;
        for (unsigned step = 0; step < 20000; ++step) {
            std::uint32_t before = ~0U;
            for (unsigned change = 0; change < 2; ++change) {
                const auto pc = static_cast<std::uint32_t>(4 * random.below(40));
                if (pc == before) continue;
                before = pc;
                if (threads.count(pc) == 0) {
                    r.add(pc, threads[pc] = static_cast<std::uint32_t>(1 + random.below(9)));
                } else {
                    r.set(pc, threads[pc] += static_cast<std::uint32_t>(random.below(9)));
                }
            }
            r.balance();
            ASSERT_NO_FATAL_FAILURE(r.check(most)) << "step " << step;
            if (random.chance(0.4)) {
                const auto at = static_cast<pc_heap::position>(random.below(r.heap.size()));
                threads.erase(r.heap[at].warps.pc);
                r.remove(at);
                r.balance();
                ASSERT_NO_FATAL_FAILURE(r.check(most)) << "step " << step;
            }
            ASSERT_EQ(r.heap.size(), threads.size());
        }
    }
}

/// The majority scheduler alone: warps of `size` threads, opened clock by clock.
struct majority_rig {
    dwf_configuration configuration;
    warp_pool pool;
    pc_warp_lut lut{64, 4, full_set::replaces};
    majority_policy policy;
    std::uint64_t clock = 0;
    const std::uint16_t threads[32] = {};

    explicit majority_rig(const dwf_configuration& with = {})
        : configuration(with), pool(128, 32), policy({configuration, pool, lut, 768}) {}

    pool_index open(std::uint32_t pc, unsigned size) {
        EXPECT_EQ(policy.room_for(pc, 0), room::now);
        const pool_index w = pool.open({pc, 0}, clock);
        pool.add(w, bits::below(size), threads);
        policy.takes(w, bits::below(size), true);
        return w;
    }
    void join(pool_index w, unsigned lane) {
        pool.add(w, bits::one(lane), threads);
        policy.takes(w, bits::one(lane), false);
    }
    void step() {
        policy.clock_ends();
        ++clock;
        policy.clock_begins();
    }
    void issue(pool_index w) {
        ASSERT_EQ(policy.choose(), w);
        policy.leaves(w);
        pool.close(w);
    }
};

TEST(dwf_majority, issues_all_warps_of_a_pc_before_it_chooses_again) {
    majority_rig r;
    const pool_index a = r.open(0, 20);
    const pool_index b = r.open(4, 30);
    r.policy.clock_begins();
    r.policy.clock_begins();
    r.policy.clock_ends();
    EXPECT_EQ(r.policy.majority_entry().pc, 4U);
    const pool_index c = r.open(4, 1);
    const pool_index d = r.open(0, 32);
    r.issue(b);
    r.step();
    r.issue(c);
    EXPECT_EQ(r.policy.choose(), no_pool_index) << "the entry is empty until the next clock";
    EXPECT_TRUE(r.policy.busy());
    r.step();
    r.step();
    r.issue(a);
    r.issue(d);
}

TEST(dwf_majority, threads_that_join_count_and_open_no_list_entry) {
    majority_rig r;
    const pool_index a = r.open(0, 3);
    const pool_index b = r.open(4, 4);
    r.join(a, 10);
    r.join(a, 11);
    r.policy.clock_begins();
    r.policy.clock_begins();
    r.policy.clock_ends();
    EXPECT_EQ(r.policy.majority_entry().threads, 5U);
    r.join(a, 12);
    EXPECT_EQ(r.policy.majority_entry().threads, 6U);
    r.issue(a);
    EXPECT_EQ(r.policy.majority_entry().threads, 0U);
    r.step();
    r.issue(b);
}

TEST(dwf_majority, the_root_is_not_popped_before_the_heap_is_balanced) {
    majority_rig r;
    r.open(0, 1);
    r.step();
    r.step();
    ASSERT_EQ(r.policy.majority_entry().pc, 0U);
    for (std::uint32_t pc = 1; pc <= 7; ++pc) {
        r.open(4 * pc, 20 - pc);
        r.step();
    }
    r.open(32, 31);  // at the fourth level of the heap: three swaps
    r.issue(pool_index(0));
    for (unsigned clock = 0; clock < 3; ++clock) {
        EXPECT_EQ(r.policy.choose(), no_pool_index) << "clock " << clock;
        EXPECT_EQ(r.policy.room_for(64, 0), clock == 0 ? room::now : room::later);
        EXPECT_EQ(r.policy.room_for(32, 0), clock == 0 ? room::later : room::later);
        r.step();
    }
    EXPECT_EQ(r.policy.room_for(64, 0), room::now);
    r.policy.clock_ends();
    EXPECT_EQ(r.policy.majority_entry().pc, 32U);
    EXPECT_NE(r.policy.choose(), no_pool_index);
}

TEST(dwf_majority, arrivals_at_the_majority_entry_do_not_wait_for_the_heap) {
    majority_rig r;
    r.open(0, 1);
    r.step();
    r.step();
    for (std::uint32_t pc = 1; pc <= 3; ++pc) {
        r.open(4 * pc, 20);
        r.step();
    }
    r.open(16, 25);
    r.step();
    EXPECT_EQ(r.policy.room_for(0, 0), room::now);
    EXPECT_EQ(r.policy.room_for(4, 0), room::later);
    r.step();
    EXPECT_EQ(r.policy.room_for(4, 0), room::now);
}

TEST(dwf_majority, a_full_heap_has_no_room_for_another_pc) {
    dwf_configuration configuration;
    configuration.policies.of<heap_configuration>().heap_entries = 4;
    majority_rig r(configuration);
    r.open(0, 31);
    r.step();
    r.step();
    for (std::uint32_t pc = 1; pc <= 4; ++pc) {
        EXPECT_EQ(r.policy.room_for(4 * pc, 5 - pc), room::none) << "some are kept";
        r.open(4 * pc, 20 - pc);
        r.step();
    }
    EXPECT_EQ(r.policy.room_for(20, 0), room::none);
    EXPECT_EQ(r.policy.room_for(16, 0), room::now);
    EXPECT_EQ(r.policy.room_for(0, 0), room::now) << "the Majority Entry is not in the heap";
}

TEST(dwf_majority, a_pc_whose_look_up_entry_was_replaced_gets_a_second_heap_entry) {
    dwf_configuration configuration;
    auto& heap = configuration.policies.of<heap_configuration>();
    heap.heap_lut_entries = heap.heap_lut_ways = 1;
    majority_rig r(configuration);
    r.open(0, 31);
    r.step();
    r.step();
    const pool_index first = r.open(4, 5);
    r.lut.insert(r.lut.room({4, 0}, 1), {4, 0}, {bits::below(5), first}, 1);
    r.step();
    const pool_index other = r.open(8, 6);
    EXPECT_EQ(r.lut.find({4, 0}), pc_warp_lut::none) << "no thread joins the first one any more";
    EXPECT_EQ(r.policy.counts().heap_replacements, 1U);
    r.step();
    const pool_index second = r.open(4, 7);
    r.step();
    EXPECT_EQ(r.policy.heap().size(), 3U);
    r.issue(pool_index(0));
    r.step();
    r.step();
    r.issue(second);
    r.step();
    r.step();
    r.issue(other);
    r.step();
    r.step();
    r.issue(first);
    EXPECT_EQ(r.policy.heap().size(), 0U);
}

TEST(dwf_majority, a_warp_that_is_not_chosen_leaves_its_heap_entry) {
    majority_rig r;
    const pool_index chosen = r.open(0, 31);
    r.step();
    r.step();
    const pool_index a = r.open(4, 20);
    r.step();
    const pool_index b = r.open(4, 2);
    r.open(8, 10);
    r.step();
    ASSERT_TRUE(r.policy.lets_others_go());
    r.policy.leaves(a);
    r.pool.close(a);
    EXPECT_FALSE(r.policy.lets_others_go()) << "8 rises";
    r.step();
    EXPECT_EQ(r.policy.heap()[0].warps.pc, 8U);
    EXPECT_EQ(r.policy.heap()[1].warps.threads, 2U);
    r.policy.leaves(b);
    EXPECT_EQ(r.policy.heap().size(), 1U);
    EXPECT_EQ(r.policy.lut().find({4, 0}), heap_lut::none);
    r.issue(chosen);
}

}  // namespace
}  // namespace heddle
