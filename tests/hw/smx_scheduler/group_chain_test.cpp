// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/group_chain.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

#include "hw/smx_scheduler/resident_kernels.h"

namespace heddle {
namespace {

constexpr std::uint32_t records = 0xd000'0000;

/// Records with stores in order; a fetch takes its value when it leaves, and comes when told.
class fake_memory final : public record_memory {
public:
    void store_next(std::uint32_t record, group_index next) override { words_[record] = next; }
    void fetch(std::uint32_t record) override {
        EXPECT_FALSE(under_way_) << "two fetches at once";
        under_way_ = words_.at(record);
        ++fetches;
    }
    std::optional<group_index> fetched() override {
        if (!arrived) return std::nullopt;
        arrived = false;
        return std::exchange(under_way_, std::nullopt);
    }
    [[nodiscard]] bool pending() const { return under_way_.has_value() && !arrived; }

    bool arrived = false;
    unsigned fetches = 0;

private:
    std::map<std::uint32_t, group_index> words_;
    std::optional<group_index> under_way_;
};

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

    pool<protocol::kernel_launch> launches_{"launches"};
    kde_chain chain_{2};
    control_register sscr_{1};
    fake_memory memory_;
};

TEST_F(groups, a_thread_has_one_entry) {
    group_table table(4);
    const auto first = table.allocate(6, launch(1));
    ASSERT_TRUE(first);
    EXPECT_EQ(*first, group_index(2));  // 6 mod 4
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
    group_table table(1);
    const auto entry = table.allocate(0, launch(1, 2));
    table.start_block(*entry);
    EXPECT_FALSE(table.end_block(*entry));  // the second block comes later
    table.start_block(*entry);
    EXPECT_FALSE(table.exhaust(*entry));
    EXPECT_TRUE(table.end_block(*entry));
    EXPECT_EQ(table.used(), 0U);
}

TEST_F(groups, a_spilled_group_is_fetched_when_its_turn_comes) {
    group_chain chain(1, chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    chain.append(kde_index(0), launch(1), 0, records);
    chain.append(kde_index(0), launch(2), 0, records + 64);
    chain.append(kde_index(0), launch(3), 0, records + 128);
    EXPECT_EQ(chain.joined(), 3U);
    EXPECT_EQ(chain.spilled(), 2U);
    chain_.advance();  // the entry's own kernel
    ASSERT_TRUE(chain.load(kde_index(0), chain_.head().group));
    EXPECT_EQ(distribute(chain), 1U);
    EXPECT_EQ(chain_.head().group, group_index(records + 64));
    EXPECT_FALSE(chain.load(kde_index(0), chain_.head().group));
    EXPECT_FALSE(chain.load(kde_index(0), chain_.head().group));
    EXPECT_EQ(memory_.fetches, 1U);
    memory_.arrived = true;
    ASSERT_TRUE(chain.load(kde_index(0), chain_.head().group));
    EXPECT_EQ(distribute(chain), 2U);
    EXPECT_EQ(chain_.head().group, group_index(records + 128));
}

TEST_F(groups, what_joins_during_the_fetch_of_the_last_group_is_not_lost) {
    group_chain chain(1, chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    chain.append(kde_index(0), launch(1), 0, records);
    chain.append(kde_index(0), launch(2), 0, records + 64);
    chain_.advance();
    ASSERT_TRUE(chain.load(kde_index(0), chain_.head().group));
    EXPECT_EQ(distribute(chain), 1U);
    EXPECT_FALSE(chain.load(kde_index(0), chain_.head().group));  // the fetch leaves: Next is null
    chain.append(kde_index(0), launch(3), 0, records + 128);
    memory_.arrived = true;
    ASSERT_TRUE(chain.load(kde_index(0), chain_.head().group));
    EXPECT_EQ(distribute(chain), 2U);
    ASSERT_FALSE(chain_.empty());
    EXPECT_EQ(chain_.head().group, group_index(records + 128));
}

TEST_F(groups, what_joins_while_the_last_group_is_in_sscr_is_not_lost) {
    group_chain chain(1, chain_, sscr_, memory_);
    ASSERT_TRUE(chain_.start(kde_index(0)));
    chain.append(kde_index(0), launch(1), 0, records);
    chain.append(kde_index(0), launch(2, 2), 0, records + 64);
    chain_.advance();
    ASSERT_TRUE(chain.load(kde_index(0), chain_.head().group));
    EXPECT_EQ(distribute(chain), 1U);
    EXPECT_FALSE(chain.load(kde_index(0), chain_.head().group));
    memory_.arrived = true;
    ASSERT_TRUE(chain.load(kde_index(0), chain_.head().group));
    chain.append(kde_index(0), launch(3), 0, records + 128);
    EXPECT_EQ(distribute(chain), 2U);
    ASSERT_FALSE(chain_.empty());
    EXPECT_EQ(chain_.head().group, group_index(records + 128));
}

/// Joins, blocks, ends and fetches in random order: each group is distributed once, those of an
/// entry in the order in which they joined.
TEST_F(groups, every_group_is_distributed_once_and_in_order) {
    for (const unsigned table : {1U, 2U, 8U}) {
        std::mt19937 random(table);
        kde_chain fresh(2);
        chain_ = fresh;
        group_chain chain(table, chain_, sscr_, memory_);
        std::deque<std::uint32_t> expected[2];
        std::vector<std::pair<group_index, int>> running;  // blocks
        for (unsigned e = 0; e < 2; ++e) {
            ASSERT_TRUE(chain_.start(kde_index(e)));
            expected[e].push_back(0);
        }
        std::uint32_t made = 0;
        std::uint32_t distributed = 0;
        while (made < 3000 || !chain_.empty() || sscr_.valid()) {
            switch (random() % 4) {
                case 0:
                    if (made < 3000) {
                        const unsigned e = random() % 2;
                        ++made;
                        expected[e].push_back(made);
                        chain.append(kde_index(e), launch(made, 1 + random() % 3), random() % 16,
                                     records + 64 * made);
                    }
                    break;
                case 1:
                    if (memory_.pending()) memory_.arrived = true;
                    break;
                case 2:
                    if (!running.empty()) {
                        const std::size_t at = random() % running.size();
                        chain.end_block(running[at].first);
                        running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
                    }
                    break;
                default: {
                    if (!sscr_.valid()) {
                        if (chain_.empty()) break;
                        const kde_chain::source head = chain_.head();
                        const unsigned e = head.kde.value();
                        if (head.group == null_group) {
                            ASSERT_EQ(expected[e].front(), 0U);
                            expected[e].pop_front();
                            chain_.advance();
                            break;
                        }
                        if (!chain.load(head.kde, head.group)) break;
                        ASSERT_EQ(sscr_.launch()->launch.count(), expected[e].front());
                        expected[e].pop_front();
                        ++distributed;
                    }
                    const group_index group = sscr_.group();
                    chain.start_block(group);
                    running.emplace_back(group, 0);
                    if (sscr_.advance()) chain_.advance(chain.exhaust(group));
                }
            }
        }
        EXPECT_EQ(distributed, 3000U);
        for (const auto& [group, unused] : running) chain.end_block(group);
        EXPECT_EQ(chain.table().used(), 0U);
        EXPECT_GT(chain.spilled(), 100U);
    }
    EXPECT_EQ(launches_.leak_report(), "");
}

TEST_F(groups, an_entry_is_over_when_nothing_of_it_is_left) {
    resident_kernels kernels(2, chain_);
    group_chain chain(1, chain_, sscr_, memory_);
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
    chain.append(entry, group, 0, records);
    kernels.unpin(entry);
    kernels.unpin(entry);
    EXPECT_FALSE(kernels.release_if_over(entry));  // a group waits
    ASSERT_TRUE(chain.load(entry, chain_.head().group));
    kernels.start_block(entry);
    (void)distribute(chain);
    EXPECT_FALSE(kernels.release_if_over(entry));  // its block runs
    kernels.end_block(entry);
    EXPECT_TRUE(kernels.release_if_over(entry));
    EXPECT_FALSE(kernels.eligible(entry, *group));
}

}  // namespace
}  // namespace heddle
