// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "hw/smx_scheduler/chain/fcfs_chain.h"

namespace heddle {
namespace {

constexpr kde_index a{0};
constexpr kde_index b{1};
constexpr group_index g0{agt_entry(0)};
constexpr group_index g1{agt_entry(1)};
constexpr group_index g2{agt_entry(2)};

void expect_head(const kde_chain& chain, kde_index kde, group_index group) {
    ASSERT_FALSE(chain.empty());
    EXPECT_EQ(chain.head().kde, kde);
    EXPECT_EQ(chain.head().group, group);
}

TEST(kde_chain, kernels_follow_in_the_order_of_their_arrival) {
    fcfs_chain chain(2);
    EXPECT_TRUE(chain.empty());
    EXPECT_TRUE(chain.start(b));
    EXPECT_TRUE(chain.start(a));
    EXPECT_EQ(chain.marks()[0], 3U);
    expect_head(chain, b, null_group);
    EXPECT_TRUE(chain[b].first_time);
    chain.advance();
    EXPECT_FALSE(chain[b].first_time);
    expect_head(chain, a, null_group);
    EXPECT_TRUE(chain.start(b));  // the next kernel in the entry
    chain.advance();
    expect_head(chain, b, null_group);
    chain.advance();
    EXPECT_TRUE(chain.empty());
    EXPECT_EQ(chain.marks()[0], 0U);
}

TEST(kde_chain, an_entry_with_something_to_distribute_takes_no_kernel) {
    fcfs_chain chain(2);
    EXPECT_TRUE(chain.start(a));
    EXPECT_FALSE(chain.start(a));
    EXPECT_FALSE(chain.start(kde_index(2)));
    chain.advance();
    EXPECT_TRUE(chain.empty());
}

TEST(kde_chain, groups_follow_the_kernel_that_they_join) {
    fcfs_chain chain(2);
    EXPECT_TRUE(chain.start(a));
    EXPECT_TRUE(chain.start(b));
    EXPECT_EQ(chain.append(a, g0), null_group);
    EXPECT_EQ(chain.append(a, g1), g0);
    EXPECT_EQ(chain[a].next_group, g0);
    EXPECT_EQ(chain[a].last_group, g1);
    expect_head(chain, a, null_group);
    chain.advance();
    expect_head(chain, a, g0);  // the kernel's groups go before the next kernel
    chain.advance(g1);
    expect_head(chain, a, g1);
    EXPECT_EQ(chain.append(a, g2), g1);  // while it is being distributed
    chain.advance(g2);
    expect_head(chain, a, g2);
    chain.advance();
    EXPECT_EQ(chain[a].next_group, null_group);
    expect_head(chain, b, null_group);
}

TEST(kde_chain, a_group_that_comes_late_marks_its_entry_again) {
    fcfs_chain chain(2);
    EXPECT_TRUE(chain.start(a));
    chain.append(a, g0);
    chain.advance();
    chain.advance();
    EXPECT_TRUE(chain.empty());
    EXPECT_TRUE(chain.start(b));
    EXPECT_EQ(chain.append(a, g1), null_group);  // g0 may have ended: nothing names g1
    EXPECT_EQ(chain[a].last_group, g1);
    EXPECT_FALSE(chain[a].first_time);
    expect_head(chain, b, null_group);  // a stands behind it
    chain.advance();
    expect_head(chain, a, g1);
    chain.advance();
    EXPECT_TRUE(chain.empty());
}

TEST(kde_chain, a_new_kernel_in_an_entry_has_no_groups) {
    fcfs_chain chain(1);
    EXPECT_TRUE(chain.start(a));
    chain.append(a, g0);
    chain.advance();
    chain.advance();
    EXPECT_TRUE(chain.start(a));
    EXPECT_EQ(chain[a].last_group, null_group);
    chain.advance();
    EXPECT_TRUE(chain.empty());
}

TEST(kde_chain, groups_join_and_leave_several_chains_in_turn) {
    fcfs_chain chain(1, 2);
    EXPECT_TRUE(chain.start(a));
    EXPECT_EQ(chain.append(a, g0), null_group);
    EXPECT_EQ(chain.append(a, g1), null_group);
    EXPECT_EQ(chain.append(a, g2), g0);
    EXPECT_EQ(chain.ahead(a, 0), g0);
    EXPECT_EQ(chain.ahead(a, 1), g1);
    EXPECT_EQ(chain[a].last_group, g2);
    chain.advance();
    expect_head(chain, a, g0);
    chain.advance(g2);
    expect_head(chain, a, g1);
    EXPECT_EQ(chain.ahead(a, 1), g2);
    chain.advance();
    expect_head(chain, a, g2);
    chain.advance();
    EXPECT_TRUE(chain.empty());
}

/// The chain as lists: what each entry has left to distribute, and whose turn it is.
struct reference {
    std::size_t chains = 1;
    struct entry {
        bool used = false, native = false;
        std::deque<group_index> groups;
        std::optional<group_index> last;
    };
    std::array<entry, 2> entries{};
    std::deque<std::size_t> order{};
    std::map<std::uint32_t, group_index> next{};  ///< as the chain says who names whom

    [[nodiscard]] bool marked(std::size_t e) const {
        return std::find(order.begin(), order.end(), e) != order.end();
    }
    void expect_same(const kde_chain& chain) const {
        ASSERT_EQ(chain.empty(), order.empty());
        for (std::size_t e = 0; e < entries.size(); ++e) {
            const entry& expected = entries[e];
            const kde_chain::registers& r = chain[kde_index(e)];
            ASSERT_EQ((chain.marks()[0] >> e & 1) != 0, marked(e));
            ASSERT_EQ(r.first_time, expected.native);
            ASSERT_EQ(r.next_group, expected.groups.empty() ? null_group : expected.groups.front());
            ASSERT_EQ(r.last_group, expected.last.value_or(null_group));
            for (unsigned places = 0; places < chains; ++places) {
                ASSERT_EQ(chain.ahead(kde_index(e), places),
                          places < expected.groups.size() ? expected.groups[places] : null_group);
            }
        }
        if (order.empty()) return;
        const entry& first = entries[order.front()];
        expect_head(chain, kde_index(order.front()),
                    first.native ? null_group : first.groups.front());
    }
};

constexpr std::uint32_t most_groups = 3;

/// Every sequence of legal steps up to a length, with three groups.
void explore(const fcfs_chain& chain, const reference& expected, std::uint32_t groups,
             unsigned steps, std::uint64_t& states) {
    ++states;
    expected.expect_same(chain);
    if (steps == 0 || testing::Test::HasFatalFailure()) return;
    for (std::size_t e = 0; e < 2; ++e) {
        if (!expected.marked(e)) {
            fcfs_chain dut = chain;
            reference after = expected;
            ASSERT_TRUE(dut.start(kde_index(e)));
            after.entries[e] = {true, true, {}, std::nullopt};
            after.order.push_back(e);
            explore(dut, after, groups, steps - 1, states);
        }
        if (expected.entries[e].used && groups < most_groups) {
            fcfs_chain dut = chain;
            reference after = expected;
            reference::entry& at = after.entries[e];
            const group_index joins{agt_entry(groups)};
            const group_index linked = dut.append(kde_index(e), joins);
            // The last one of the same chain, if it still waits.
            ASSERT_EQ(linked, at.groups.size() < expected.chains
                                  ? null_group
                                  : at.groups[at.groups.size() - expected.chains]);
            if (linked != null_group) after.next[linked.bits()] = joins;
            at.groups.push_back(joins);
            at.last = joins;
            if (!expected.marked(e)) after.order.push_back(e);
            explore(dut, after, groups + 1, steps - 1, states);
        }
    }
    if (expected.order.empty()) return;
    fcfs_chain dut = chain;
    reference after = expected;
    reference::entry& at = after.entries[after.order.front()];
    group_index next = g2;  // is ignored after a kernel
    if (!std::exchange(at.native, false)) {
        const auto named = after.next.find(at.groups.front().bits());
        next = named == after.next.end() ? null_group : named->second;
        at.groups.pop_front();
    }
    dut.advance(next);
    if (at.groups.empty()) after.order.pop_front();
    explore(dut, after, groups, steps - 1, states);
}

TEST(kde_chain, does_what_lists_do_in_every_short_sequence) {
    for (const unsigned chains : {1U, 2U, 3U}) {
        std::uint64_t states = 0;
        explore(fcfs_chain(2, chains), {chains}, 0, 9, states);
        EXPECT_GT(states, 10'000U);
    }
}

}  // namespace
}  // namespace heddle
