// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/group_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <type_traits>
#include <vector>

#include "hw/smx_scheduler/chain/fcfs_chain.h"
#include "hw/smx_scheduler/chain/resident_kernels.h"
#include "tests/hw/smx_scheduler/fake_records.h"

namespace heddle {
namespace {

group_table table_of(unsigned entries) {
    return {entries, make_group_allocator({entries})};
}

class groups : public testing::Test {
protected:
    pool_ptr<protocol::kernel_launch> launch(std::uint32_t number, std::uint32_t blocks = 1) {
        auto made = launches_.make();
        made->launch = launch_id(sm_id(0), number);
        made->group = true;
        made->grid = {blocks, 1, 1};
        made->block = {32, 1, 1};
        return made;
    }
    /// Distributes the rest of what is in SSCR; returns the number of its launch.
    std::uint32_t distribute(group_chain& chain) {
        const std::uint32_t number = sscr_.launch()->launch.count();
        const group_index group = sscr_.group();
        bool last = false;
        while (!last) {
            if (group != null_group) chain.start_block(group);
            last = sscr_.advance();
        }
        if (group != null_group) {
            chain_.advance(chain.exhaust(group));
        } else {
            chain_.advance();
        }
        return number;
    }

    /// A cycle of the fetches, then the load of the head's group.
    bool load_head(group_chain& chain) {
        (void)chain.fetch_ahead();
        return chain.load(chain_.head().kde, chain_.head().group);
    }

    pool<protocol::kernel_launch> launches_{"launches"};
    fcfs_chain chain_{2};
    control_register sscr_{1};
    fake_memory memory_;
};

static_assert(sizeof(group_index) == 4 && std::is_trivially_copyable_v<group_index>);
static_assert(!std::is_constructible_v<group_index, std::uint32_t>);
static_assert(!std::is_convertible_v<agt_entry, group_index>);
static_assert(!std::is_constructible_v<agt_entry, record_address>);

TEST(group_index, names_an_entry_or_a_record_or_nothing) {
    const group_index entry{agt_entry(0x7fff'ffff)};
    EXPECT_FALSE(entry.is_spilled());
    EXPECT_EQ(entry.entry(), agt_entry(0x7fff'ffff));
    const group_index record{record_address(0x8000'0000)};
    EXPECT_TRUE(record.is_spilled());
    EXPECT_EQ(record.record(), record_address(0x8000'0000));
    EXPECT_NE(entry, null_group);
    EXPECT_NE(record, null_group);
    for (const group_index each : {entry, record, null_group}) {
        EXPECT_EQ(group_index::of_bits(each.bits()), each);
    }
    EXPECT_EQ(show_group(null_group), -1);
}

TEST_F(groups, a_thread_has_one_entry) {
    group_table table = table_of(4);
    const auto first = table.allocate(6, launch(1));
    ASSERT_TRUE(first);
    EXPECT_EQ(*first, agt_entry(2));  // 6 mod 4
    EXPECT_FALSE(table.allocate(2, launch(2)));
    EXPECT_TRUE(table.allocate(3, launch(3)));
    EXPECT_EQ(table.used(), 2U);
    table.start_block(*first);
    EXPECT_FALSE(table.exhaust(*first));  // its block still runs
    EXPECT_FALSE(table.allocate(6, launch(4)));
    EXPECT_TRUE(table.end_block(*first));
    EXPECT_TRUE(table.allocate(6, launch(5)));
    EXPECT_EQ(table.next(*first), null_group);
}

TEST_F(groups, an_entry_stays_while_blocks_are_to_be_distributed) {
    group_table table = table_of(1);
    const auto entry = table.allocate(0, launch(1, 2));
    table.start_block(*entry);
    EXPECT_FALSE(table.end_block(*entry));  // the second block comes later
    table.start_block(*entry);
    EXPECT_FALSE(table.exhaust(*entry));
    EXPECT_TRUE(table.end_block(*entry));
    EXPECT_EQ(table.used(), 0U);
}

TEST_F(groups, a_spilled_group_is_fetched_when_it_is_known) {
    group_chain chain(table_of(1), chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    chain.append(kde_index(0), launch(1), 0, record_at(0));
    chain.append(kde_index(0), launch(2), 0, record_at(64));
    chain.append(kde_index(0), launch(3), 0, record_at(128));
    EXPECT_EQ(chain.joined(), 3U);
    EXPECT_EQ(chain.spilled(), 2U);
    chain_.advance();  // the entry's own kernel
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 1U);
    EXPECT_EQ(chain_.head().group, group_index(record_at(64)));
    EXPECT_FALSE(load_head(chain));
    EXPECT_TRUE(chain.fetching());
    EXPECT_FALSE(load_head(chain));
    EXPECT_EQ(memory_.fetches, 1U);
    memory_.arrive();
    ASSERT_TRUE(load_head(chain));
    EXPECT_FALSE(chain.fetching());
    EXPECT_EQ(distribute(chain), 2U);
    EXPECT_EQ(chain_.head().group, group_index(record_at(128)));
}

TEST_F(groups, the_records_of_all_chains_are_fetched_at_a_time) {
    chain_ = fcfs_chain(2, 4);
    group_chain chain(table_of(1), chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    for (std::uint32_t i = 0; i < 6; ++i) {
        chain.append(kde_index(0), launch(i), 0, record_at(64 * i));
    }
    // While the entry's own kernel is distributed, three of the first four: one is in the AGT.
    for (unsigned sent = 0; sent < 3; ++sent) EXPECT_TRUE(chain.fetch_ahead());
    EXPECT_FALSE(chain.fetch_ahead());
    EXPECT_EQ(memory_.pending(), 3U);
    chain_.advance();
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 0U);
    memory_.arrive(2);
    EXPECT_FALSE(load_head(chain));  // the first one has to come; group 4 is known now
    EXPECT_EQ(memory_.fetches, 4U);
    memory_.arrive();
    memory_.arrive();
    for (std::uint32_t i = 1; i < 4; ++i) {
        ASSERT_TRUE(load_head(chain));
        EXPECT_EQ(distribute(chain), i);
    }
    EXPECT_EQ(memory_.fetches, 5U);
}

TEST_F(groups, what_joins_during_the_fetch_of_the_last_group_is_not_lost) {
    group_chain chain(table_of(1), chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    chain.append(kde_index(0), launch(1), 0, record_at(0));
    chain.append(kde_index(0), launch(2), 0, record_at(64));
    chain_.advance();
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 1U);
    EXPECT_FALSE(load_head(chain));  // the fetch leaves: Next is null
    chain.append(kde_index(0), launch(3), 0, record_at(128));
    memory_.arrive();
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 2U);
    ASSERT_FALSE(chain_.empty());
    EXPECT_EQ(chain_.head().group, group_index(record_at(128)));
}

TEST_F(groups, what_joins_while_a_fetched_record_waits_is_not_lost) {
    group_chain chain(table_of(1), chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    chain.append(kde_index(0), launch(1), 0, record_at(0));
    chain_.advance();
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 1U);
    chain.append(kde_index(0), launch(2), 0, record_at(64));  // group 1 runs: the AGT is full
    EXPECT_FALSE(load_head(chain));
    memory_.arrive();
    EXPECT_FALSE(chain.fetch_ahead());
    chain.append(kde_index(0), launch(3), 0, record_at(128));
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 2U);
    ASSERT_FALSE(chain_.empty());
    EXPECT_EQ(chain_.head().group, group_index(record_at(128)));
}

TEST_F(groups, what_joins_while_the_last_group_is_in_sscr_is_not_lost) {
    group_chain chain(table_of(1), chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    chain.append(kde_index(0), launch(1), 0, record_at(0));
    chain.append(kde_index(0), launch(2, 2), 0, record_at(64));
    chain_.advance();
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 1U);
    EXPECT_FALSE(load_head(chain));
    memory_.arrive();
    ASSERT_TRUE(load_head(chain));
    chain.append(kde_index(0), launch(3), 0, record_at(128));
    EXPECT_EQ(distribute(chain), 2U);
    ASSERT_FALSE(chain_.empty());
    EXPECT_EQ(chain_.head().group, group_index(record_at(128)));
}

TEST_F(groups, records_of_an_entry_that_is_not_the_head_any_more_make_room) {
    group_chain chain(table_of(1), chain_, sscr_, memory_);
    const kde_index later(0);
    const kde_index urgent(1);
    ASSERT_TRUE(chain_.start(later));
    chain.append(later, launch(1), 0, record_at(0));
    chain.append(later, launch(2), 0, record_at(64));
    chain_.advance();
    ASSERT_TRUE(load_head(chain));
    EXPECT_EQ(distribute(chain), 1U);
    EXPECT_FALSE(load_head(chain));
    ASSERT_TRUE(chain_.start(urgent, 1, false));
    chain.append(urgent, launch(3), 0, record_at(128));
    chain.append(urgent, launch(4), 0, record_at(192));
    chain_.advance();
    ASSERT_EQ(chain_.head().kde, urgent);
    EXPECT_FALSE(load_head(chain));  // the buffer waits for the record of the other entry
    memory_.arrive();
    EXPECT_FALSE(load_head(chain));
    memory_.arrive();
    for (const std::uint32_t number : {3U, 4U, 2U}) {
        for (unsigned tries = 0; tries < 4 && !load_head(chain); ++tries) {
            if (memory_.pending() != 0) memory_.arrive();
        }
        ASSERT_TRUE(sscr_.valid());
        EXPECT_EQ(distribute(chain), number);
    }
    EXPECT_TRUE(chain_.empty());
}

/// Joins, blocks, ends and fetches in random order.
class random_groups : public groups, public testing::WithParamInterface<unsigned> {
protected:
    static constexpr std::uint32_t most = 3000;

    /// A group joins one of the entries.
    void join(group_chain& chain) {
        if (made_ == most) return;
        const unsigned entry = random_() % 2;
        ++made_;
        expected_[entry].push_back(made_);
        chain.append(kde_index(entry), launch(made_, 1 + random_() % 3), random_() % 16,
                     record_at(64 * made_));
    }
    void end_block(group_chain& chain) {
        if (running_.empty()) return;
        const std::size_t at = random_() % running_.size();
        chain.end_block(running_[at]);
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    /// A block of the group in SSCR; what comes next is loaded before.
    void distribute_block(group_chain& chain) {
        if (!sscr_.valid()) {
            if (chain_.empty()) return;
            const kde_chain::source head = chain_.head();
            std::deque<std::uint32_t>& due = expected_[head.kde.value()];
            if (head.group == null_group) {
                ASSERT_EQ(due.front(), 0U);
                due.pop_front();
                chain_.advance();
                return;
            }
            if (!chain.load(head.kde, head.group)) return;
            ASSERT_EQ(sscr_.launch()->launch.count(), due.front());
            due.pop_front();
            ++distributed_;
        }
        const group_index group = sscr_.group();
        chain.start_block(group);
        running_.push_back(group);
        if (sscr_.advance()) chain_.advance(chain.exhaust(group));
    }
    void step(group_chain& chain) {
        switch (random_() % 5) {
            case 0:
                return join(chain);
            case 1:
                if (memory_.pending() != 0) memory_.arrive(random_() % memory_.pending());
                return;
            case 2:
                return end_block(chain);
            case 3:
                (void)chain.fetch_ahead();
                return;
            default:
                return distribute_block(chain);
        }
    }

    std::mt19937 random_{GetParam()};
    std::deque<std::uint32_t> expected_[2];  ///< by entry; 0 is its own kernel
    std::vector<group_index> running_;       ///< a block each
    std::uint32_t made_ = 0;
    std::uint32_t distributed_ = 0;
};

/// Each group is distributed once, those of an entry in the order in which they joined.
TEST_P(random_groups, are_distributed_once_and_in_order) {
    for (const unsigned chains : {1U, 2U, 3U, kde_chain::maximum_chains}) {
        chain_ = fcfs_chain(2, chains);
        memory_ = {};
        group_chain chain(table_of(GetParam()), chain_, sscr_, memory_);
        for (unsigned e = 0; e < 2; ++e) {
            ASSERT_TRUE(chain_.start(kde_index(e)));
            expected_[e].assign(1, 0);
        }
        made_ = distributed_ = 0;
        while (made_ < most || !chain_.empty() || sscr_.valid()) {
            step(chain);
            ASSERT_FALSE(HasFatalFailure());
        }
        EXPECT_EQ(distributed_, most);
        for (const group_index group : std::exchange(running_, {})) chain.end_block(group);
        EXPECT_EQ(chain.table().used(), 0U);
        EXPECT_GT(chain.spilled(), 100U);
        EXPECT_EQ(memory_.fetches, chain.spilled());
        EXPECT_GE(memory_.most_under_way, std::min(chains, 3U));
        EXPECT_LE(memory_.most_under_way, chains);
    }
    EXPECT_EQ(launches_.leak_report(), "");
}

INSTANTIATE_TEST_SUITE_P(entries_of_the_agt, random_groups, testing::Values(1, 2, 8));

TEST_F(groups, an_entry_of_the_table_may_be_held_until_the_kernel_ends) {
    group_chain chain(table_of(2), chain_, sscr_, memory_, group_hold::kernel);
    for (const unsigned entry : {0U, 1U}) {
        ASSERT_TRUE(chain_.start(kde_index(entry)));
        chain_.advance();
        const group_index in_table(agt_entry{entry});
        chain.append(kde_index(entry), launch(1), entry, record_at(64 * entry));
        ASSERT_TRUE(load_head(chain));
        (void)distribute(chain);
        chain.end_block(in_table);
    }
    EXPECT_EQ(chain.table().used(), 2U);
    chain.kernel_over(kde_index(1));
    EXPECT_TRUE(chain.table().in_use(agt_entry(0)));
    EXPECT_FALSE(chain.table().in_use(agt_entry(1)));
}

TEST_F(groups, an_entry_is_over_when_nothing_of_it_is_left) {
    resident_kernels kernels(2, chain_);
    group_chain chain(table_of(1), chain_, sscr_, memory_);
    auto kernel = launch(1);
    kernel->entry_pc = 64;
    auto group = launch(2);
    group->entry_pc = 64;
    const kde_index entry(0);
    EXPECT_FALSE(kernels.eligible(entry, *group));
    ASSERT_TRUE(chain_.start(entry));
    kernels.start(entry, kernel);
    EXPECT_TRUE(kernels.eligible(entry, *group));
    group->block.y = 2;
    EXPECT_FALSE(kernels.eligible(entry, *group));
    group->block.y = 1;
    group->dynamic_shared_bytes = 4;
    EXPECT_FALSE(kernels.eligible(entry, *group));
    group->dynamic_shared_bytes = 0;

    kernels.start_block(entry);
    chain_.advance();
    kernels.exhaust(entry);
    EXPECT_TRUE(kernels.pin(entry));
    EXPECT_FALSE(kernels.pin(entry));  // held already
    kernels.end_block(entry);
    EXPECT_FALSE(kernels.release_if_over(entry));  // pinned
    chain.append(entry, group, 0, record_at(0));
    kernels.unpin(entry);
    kernels.unpin(entry);
    EXPECT_FALSE(kernels.release_if_over(entry));  // a group waits
    ASSERT_TRUE(load_head(chain));
    kernels.start_block(entry);
    (void)distribute(chain);
    EXPECT_FALSE(kernels.release_if_over(entry));  // its block runs
    kernels.end_block(entry);
    EXPECT_TRUE(kernels.release_if_over(entry));
    EXPECT_FALSE(kernels.eligible(entry, *group));
}

}  // namespace
}  // namespace heddle
