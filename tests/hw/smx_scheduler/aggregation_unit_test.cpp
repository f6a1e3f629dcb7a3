// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/aggregation_unit.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "hw/smx_scheduler/chain/fcfs_chain.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class no_records final : public record_memory {
public:
    void store_next(record_address, group_index) override {}
    void fetch(record_address) override {}
    std::optional<answer> fetched() override { return std::nullopt; }
};

class aggregations : public testing::Test, protected aggregation_listener {
protected:
    pool_ptr<protocol::kernel_launch> launch(std::uint32_t number, std::uint32_t pc) {
        auto made = launches_.make();
        made->launch = launch_id(sm_id(0), number);
        made->group = true;
        made->entry_pc = pc;
        made->grid = {1, 1, 1};
        made->block = {32, 1, 1};
        return made;
    }
    void start(std::uint32_t entry, std::uint32_t pc) {
        ASSERT_TRUE(chain_.start(kde_index(entry)));
        kernels_.start(kde_index(entry), launch(100 + entry, pc));
    }
    pool_ptr<protocol::aggregation> command(const std::vector<std::uint32_t>& entry_pcs) {
        auto made = commands_.make();
        for (const std::uint32_t pc : entry_pcs) {
            made->groups[made->count] = {launch(++numbers_, pc), made->count,
                                         record_address(0xd000'0000 + 64 * numbers_)};
            ++made->count;
        }
        return made;
    }
    /// What happens in a cycle.
    std::vector<std::string> cycle() {
        log_.clear();
        busy_ = unit_.cycle();
        return log_;
    }

    void held(kde_index entry) override { note("held", entry.value()); }
    void joined(const pool_ptr<protocol::kernel_launch>& group, kde_index) override {
        note("joined", group->launch.count());
    }
    void refused(const pool_ptr<protocol::kernel_launch>& group) override {
        note("refused", group->launch.count());
    }
    void accepted(protocol::aggregation& command) override { note("accepted", command.count); }
    void completed(protocol::aggregation& command) override { note("completed", command.count); }
    void note(const char* what, std::uint64_t number) {
        log_.push_back(what + (" " + std::to_string(number)));
    }

    pool<protocol::kernel_launch> launches_{"launches"};
    pool<protocol::aggregation> commands_{"commands"};
    fcfs_chain chain_{4};
    control_register sscr_{1};
    no_records memory_;
    resident_kernels kernels_{4, chain_};
    group_chain groups_{{16, make_group_allocator({16})}, chain_, sscr_, memory_};
    aggregation_unit unit_{kernels_, groups_, *this};
    std::uint32_t numbers_ = 0;
    std::vector<std::string> log_;
    bool busy_ = false;
};

/// Blocks of a group are blocks of the kernel: all that a block is made of has to be equal.
TEST_F(aggregations, a_group_joins_the_same_kernel_with_the_same_blocks_only) {
    start(1, 8);
    const auto group = launch(1, 8);
    EXPECT_TRUE(kernels_.eligible(kde_index(1), *group));
    EXPECT_FALSE(kernels_.eligible(kde_index(0), *group)) << "the entry is free";
    group->grid = {7, 1, 1};
    EXPECT_TRUE(kernels_.eligible(kde_index(1), *group)) << "as many of them as it wants";
    group->entry_pc = 12;
    EXPECT_FALSE(kernels_.eligible(kde_index(1), *group));
    group->entry_pc = 8;
    group->priority = 1;
    EXPECT_FALSE(kernels_.eligible(kde_index(1), *group));
    group->priority = 0;
    group->block = {16, 2, 1};
    EXPECT_FALSE(kernels_.eligible(kde_index(1), *group));
    group->block = {32, 1, 1};
    group->dynamic_shared_bytes = 1;
    EXPECT_FALSE(kernels_.eligible(kde_index(1), *group));
    group->dynamic_shared_bytes = 0;
    EXPECT_TRUE(kernels_.eligible(kde_index(1), *group));
}

TEST_F(aggregations, an_entry_a_cycle_then_a_group_a_cycle) {
    start(1, 64);
    start(3, 128);
    unit_.take(command({64, 128, 64}));
    EXPECT_THAT(cycle(), IsEmpty());              // entry 0
    EXPECT_THAT(cycle(), ElementsAre("held 1"));  // both groups of the kernel at 64
    EXPECT_THAT(cycle(), IsEmpty());
    EXPECT_THAT(cycle(), ElementsAre("held 3"));
    EXPECT_THAT(cycle(), ElementsAre("joined 1"));
    EXPECT_THAT(cycle(), ElementsAre("joined 2"));
    EXPECT_THAT(cycle(), ElementsAre("joined 3", "accepted 3"));
    EXPECT_THAT(cycle(), IsEmpty());
    EXPECT_FALSE(busy_);
    EXPECT_EQ(groups_.joined(), 3U);
}

TEST_F(aggregations, steps_beside_the_allocation_of_buffers_take_no_cycles) {
    start(1, 64);
    start(3, 128);
    auto overlapped = command({64, 128, 64});
    overlapped->overlapped = 100;
    unit_.take(overlapped);
    EXPECT_THAT(cycle(), ElementsAre("held 1", "held 3"));
    EXPECT_THAT(cycle(), ElementsAre("joined 1", "joined 2", "joined 3", "accepted 3"));
    auto partly = command({128, 128});
    partly->overlapped = 2;
    unit_.take(partly);
    EXPECT_THAT(cycle(), IsEmpty());  // entries 0 to 2
    EXPECT_THAT(cycle(), IsEmpty());  // entry 3, which is held already
    EXPECT_THAT(cycle(), ElementsAre("joined 4"));
    EXPECT_THAT(cycle(), ElementsAre("joined 5", "accepted 2"));
}

TEST_F(aggregations, the_search_ends_when_all_have_found_a_kernel) {
    start(0, 64);
    unit_.take(command({64}));
    EXPECT_THAT(cycle(), ElementsAre("held 0"));
    EXPECT_THAT(cycle(), ElementsAre("joined 1", "accepted 1"));
}

TEST_F(aggregations, a_group_without_a_kernel_is_refused_after_the_whole_search) {
    start(2, 64);
    unit_.take(command({128, 64}));
    for (int entry = 0; entry < 2; ++entry) EXPECT_THAT(cycle(), IsEmpty());
    EXPECT_THAT(cycle(), ElementsAre("held 2"));
    EXPECT_THAT(cycle(), IsEmpty());
    EXPECT_THAT(cycle(), ElementsAre("refused 1"));
    EXPECT_THAT(cycle(), ElementsAre("joined 2", "accepted 2"));
    EXPECT_EQ(unit_.refused(), 1U);
}

TEST_F(aggregations, the_next_command_is_searched_for_while_groups_join) {
    start(0, 64);
    unit_.take(command({64, 64, 64}));
    unit_.take(command({64}));
    EXPECT_THAT(cycle(), ElementsAre("held 0"));
    EXPECT_THAT(cycle(), ElementsAre("joined 1"));
    EXPECT_THAT(cycle(), ElementsAre("joined 2"));
    EXPECT_THAT(cycle(), ElementsAre("joined 3", "accepted 3"));
    EXPECT_THAT(cycle(), ElementsAre("joined 4", "accepted 1"));
}

TEST_F(aggregations, a_pinned_entry_is_not_over) {
    start(0, 64);
    kernels_.start_block(kde_index(0));
    chain_.advance();
    kernels_.exhaust(kde_index(0));
    unit_.take(command({64, 128}));
    EXPECT_THAT(cycle(), ElementsAre("held 0"));
    kernels_.end_block(kde_index(0));  // the last one, while the search goes on
    EXPECT_FALSE(kernels_.release_if_over(kde_index(0)));
    while (groups_.joined() == 0) (void)cycle();
    EXPECT_FALSE(kernels_.release_if_over(kde_index(0)));  // the group waits for its block
    ASSERT_TRUE(kernels_.kernel(kde_index(0)));
}

TEST_F(aggregations, a_command_is_completed_when_the_last_of_its_launches_has_ended) {
    start(0, 64);
    unit_.take(command({64, 128}));
    while (busy_ || unit_.commands() != 0) (void)cycle();
    log_.clear();
    unit_.launch_ended(launch_id(sm_id(0), 2));
    unit_.launch_ended(launch_id(9));  // of nobody's command
    EXPECT_THAT(log_, IsEmpty());
    unit_.launch_ended(launch_id(sm_id(0), 1));
    EXPECT_THAT(log_, ElementsAre("completed 2"));
}

}  // namespace
}  // namespace heddle
