// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kernel_distributor/kernel_entries.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

kernel_entry kernel(std::uint32_t launch, std::uint32_t x, std::uint32_t y = 1) {
    kernel_entry k;
    k.launch = launch_id(launch);
    k.grid = {x, y, 1};
    return k;
}

TEST(kernel_entries, takes_the_lowest_free_entry_and_none_when_full) {
    kernel_entries table(65);  // crosses the words of the free mask
    for (unsigned entry = 0; entry < 65; ++entry) {
        ASSERT_EQ(table.take(kernel(entry + 1, 1)), kde_index(entry));
    }
    EXPECT_EQ(table.free(), 0U);
    EXPECT_EQ(table.take(kernel(99, 1)), std::nullopt);
    const kde_index freed(3);
    ASSERT_TRUE(table.start_block(freed));
    ASSERT_TRUE(table.exhaust(freed));
    ASSERT_TRUE(table.finish_block(freed));
    ASSERT_TRUE(table.release(freed));
    EXPECT_EQ(table.used(), 64U);
    EXPECT_EQ(table.take(kernel(99, 1)), freed);
}

TEST(kernel_entries, counts_the_blocks_of_a_kernel) {
    kernel_entries table(2);
    const kde_index entry = *table.take(kernel(7, 3, 2));
    EXPECT_TRUE(table[entry].valid);
    EXPECT_EQ(table[entry].next_group, null_group);
    EXPECT_EQ(table[entry].last_group, null_group);
    for (unsigned block = 0; block < 6; ++block) {
        EXPECT_EQ(table[entry].blocks_left, 6 - block);
        EXPECT_FALSE(table.exhaust(entry));  // blocks are left
        EXPECT_TRUE(table.start_block(entry));
    }
    EXPECT_EQ(table[entry].blocks_executing, 6U);
    EXPECT_FALSE(table.start_block(entry));  // none is left
    EXPECT_TRUE(table.finish_block(entry));
    EXPECT_TRUE(table.exhaust(entry));
    EXPECT_FALSE(table.exhaust(entry));
    EXPECT_FALSE(table.release(entry));  // five are in execution
    for (unsigned block = 0; block < 5; ++block) {
        EXPECT_FALSE(table[entry].finished());
        EXPECT_TRUE(table.finish_block(entry));
    }
    EXPECT_FALSE(table.finish_block(entry));
    EXPECT_TRUE(table[entry].finished());
    EXPECT_TRUE(table.release(entry));
    EXPECT_FALSE(table.release(entry));
}

TEST(kernel_entries, refuses_changes_of_entries_that_are_not_in_use) {
    kernel_entries table(2);
    for (const kde_index entry : {kde_index(0), kde_index(2)}) {
        EXPECT_FALSE(table.start_block(entry));
        EXPECT_FALSE(table.finish_block(entry));
        EXPECT_FALSE(table.exhaust(entry));
        EXPECT_FALSE(table.set_groups(entry, group_index(agt_entry(1)), group_index(agt_entry(1))));
        EXPECT_FALSE(table.release(entry));
    }
}

}  // namespace
}  // namespace heddle
