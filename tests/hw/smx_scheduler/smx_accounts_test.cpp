// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/smx_accounts.h"

#include <gmock/gmock.h>

#include "hw/smx_scheduler/chain/fcfs_controller.h"

namespace heddle {
namespace {

smx_limits limits() {
    smx_limits l;
    l.max_blocks = 3;
    l.max_threads = 256;
    l.registers = 4096;
    l.shared_bytes = 1000;
    return l;
}

TEST(smx_accounts, takes_turns_among_the_smxs_with_room) {
    smx_accounts accounts(3, limits());
    const block_resources block{64, 512, 0};
    EXPECT_EQ(accounts.find(block), sm_id(0));
    EXPECT_EQ(accounts.take(sm_id(0), block), block_slot(0));
    EXPECT_EQ(accounts.find(block), sm_id(1));
    (void)accounts.take(sm_id(1), {256, 0, 0});
    (void)accounts.take(sm_id(2), block);
    EXPECT_EQ(accounts.find(block), std::nullopt);  // none has started its block
    EXPECT_EQ(accounts.limit(block), block_limit::handshake);
    accounts.ready(sm_id(1));
    EXPECT_EQ(accounts.find(block), std::nullopt);  // full
    accounts.ready(sm_id(0));
    accounts.ready(sm_id(2));
    EXPECT_EQ(accounts.find(block), sm_id(0));
    (void)accounts.take(sm_id(0), block);
    EXPECT_EQ(accounts.find(block), sm_id(2));  // passes over the full one
    EXPECT_EQ(accounts.resident(), 4U);
}

TEST(smx_accounts, names_the_resource_that_is_short) {
    const block_resources none{};
    const struct {
        block_resources taken, wanted;
        block_limit expected;
    } cases[] = {{{32, 0, 0}, {256, 0, 0}, block_limit::threads},
                 {{32, 3000, 0}, {32, 2000, 0}, block_limit::registers},
                 {{32, 100, 800}, {32, 100, 300}, block_limit::shared},
                 {{32, 96, 800}, {32, 4000, 300}, block_limit::shared},   // the rest of registers
                 {{128, 0, 1000}, {128, 0, 1}, block_limit::shared},      // the rest of threads
                 {{32, 4096, 1000}, {256, 2, 2}, block_limit::threads}};  // the first in order
    for (const auto& c : cases) {
        smx_accounts accounts(1, limits());
        (void)accounts.take(sm_id(0), c.taken);
        accounts.ready(sm_id(0));
        EXPECT_EQ(accounts.find(c.wanted), std::nullopt);
        EXPECT_EQ(accounts.limit(c.wanted), c.expected);
        EXPECT_TRUE(accounts.possible(c.wanted));
    }
    smx_accounts accounts(1, limits());
    for (unsigned block = 0; block < 3; ++block) {
        EXPECT_EQ(accounts.take(sm_id(0), none), block_slot(block));
        accounts.ready(sm_id(0));
    }
    EXPECT_EQ(accounts.limit(none), block_limit::blocks);
    EXPECT_EQ(accounts.limit({257, 0, 0}), block_limit::blocks) << "before threads";
    EXPECT_FALSE(accounts.possible({257, 0, 0}));
    EXPECT_FALSE(accounts.possible({32, 4097, 0}));
    EXPECT_FALSE(accounts.possible({32, 0, 1001}));
}

TEST(smx_accounts, names_what_the_smx_lacks_whose_turn_it_is) {
    smx_accounts accounts(2, limits());
    (void)accounts.take(sm_id(0), {256, 0, 0});
    accounts.ready(sm_id(0));
    (void)accounts.take(sm_id(1), {32, 4096, 0});
    accounts.ready(sm_id(1));
    EXPECT_EQ(accounts.limit({32, 10, 0}), block_limit::threads) << "SMX 0";
    EXPECT_TRUE(accounts.give_back(sm_id(0), block_slot(0)));
    (void)accounts.take(sm_id(0), {256, 0, 0});
    accounts.ready(sm_id(0));
    EXPECT_EQ(accounts.limit({32, 10, 0}), block_limit::registers) << "SMX 1";
}

TEST(smx_accounts, gives_back_what_the_slot_was_charged) {
    smx_accounts accounts(1, limits());
    (void)accounts.take(sm_id(0), {64, 1000, 10});
    EXPECT_EQ(accounts.take(sm_id(0), {128, 2000, 20}), block_slot(1));
    EXPECT_TRUE(accounts.give_back(sm_id(0), block_slot(0)));
    EXPECT_EQ(accounts.capacity(sm_id(0)).free().threads, 128U);
    EXPECT_EQ(accounts.capacity(sm_id(0)).free().registers, 2096U);
    EXPECT_EQ(accounts.capacity(sm_id(0)).free().shared_bytes, 980U);
    EXPECT_EQ(accounts.capacity(sm_id(0)).free_blocks(), 2U);
    EXPECT_FALSE(accounts.give_back(sm_id(0), block_slot(0)));  // free already
    EXPECT_FALSE(accounts.give_back(sm_id(0), block_slot(3)));  // does not exist
    EXPECT_EQ(accounts.take(sm_id(0), {32, 0, 0}), block_slot(0));
}

TEST(smx_accounts, the_largest_number_of_block_slots) {
    smx_limits l = limits();
    l.max_blocks = 64;
    smx_accounts accounts(1, l);
    for (unsigned block = 0; block < 64; ++block) {
        ASSERT_TRUE(accounts.find({}));
        ASSERT_EQ(accounts.take(sm_id(0), {}), block_slot(block));
        accounts.ready(sm_id(0));
    }
    EXPECT_EQ(accounts.find({}), std::nullopt);
}

TEST(fcfs_controller, keeps_the_order_of_marking) {
    fcfs_controller fcfs(70);
    EXPECT_TRUE(fcfs.empty());
    EXPECT_TRUE(fcfs.mark(kde_index(69)));
    EXPECT_TRUE(fcfs.mark(kde_index(3)));
    EXPECT_FALSE(fcfs.mark(kde_index(69)));
    EXPECT_FALSE(fcfs.mark(kde_index(70)));
    EXPECT_EQ(fcfs.size(), 2U);
    EXPECT_EQ(fcfs.marks()[0], 8U);
    EXPECT_EQ(fcfs.marks()[1], 32U);
    EXPECT_EQ(fcfs.head(), kde_index(69));
    fcfs.unmark_head();
    EXPECT_FALSE(fcfs.marked(kde_index(69)));
    EXPECT_EQ(fcfs.head(), kde_index(3));
    EXPECT_TRUE(fcfs.mark(kde_index(69)));  // again, now behind
    EXPECT_EQ(fcfs.head(), kde_index(3));
    for (unsigned turn = 0; turn < 200; ++turn) {  // several times around the ring
        const kde_index head = fcfs.head();
        fcfs.unmark_head();
        ASSERT_TRUE(fcfs.mark(head));
    }
    EXPECT_EQ(fcfs.head(), kde_index(3));
}

}  // namespace
}  // namespace heddle
