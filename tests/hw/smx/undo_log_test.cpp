// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/undo_log.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using protocol::bank_command;

std::array<std::uint32_t, protocol::maximum_lanes> words_from(std::uint32_t first) {
    std::array<std::uint32_t, protocol::maximum_lanes> words;
    for (unsigned lane = 0; lane < words.size(); ++lane) words[lane] = first + lane;
    return words;
}

class private_log_test : public testing::Test {
protected:
    /// A store by these lanes, which find `old` + lane.
    void store(isa::lane_mask lanes, std::uint32_t old, unsigned warp = 3) {
        const logged_store entry = log.add(warp, lanes, 4, words_from(0x100).data());
        log.set_old(entry, lanes, words_from(old).data());
    }

    private_log log{8, 2};
    old_words words;
};

TEST_F(private_log_test, a_store_is_taken_off_with_what_its_lanes_found) {
    const logged_store entry = log.add(3, 0b1010, 2, words_from(0x100).data());
    EXPECT_TRUE(entry.exists());
    EXPECT_FALSE(logged_store().exists());
    log.set_old(entry, 0b1010, words_from(80).data());
    ASSERT_TRUE(log.take(3, 0b1000, words));
    EXPECT_EQ(words.lanes, 0b1000U);
    EXPECT_EQ(words.bytes, 2U);
    EXPECT_EQ(words.address[3], 0x103U);
    EXPECT_EQ(words.value[3], 83U);
    EXPECT_TRUE(log.empty(3));
}

TEST_F(private_log_test, newest_store_is_undone_first) {
    store(0b11, 10);
    store(0b01, 20);
    store(0b01, 30, 4);  // of another warp
    ASSERT_TRUE(log.take(3, 0b11, words));
    EXPECT_EQ(words.value[0], 20U);
    EXPECT_EQ(words.lanes, 0b01U);
    ASSERT_TRUE(log.take(3, 0b11, words));
    EXPECT_EQ(words.value[1], 11U);
    EXPECT_EQ(words.lanes, 0b11U);
    EXPECT_TRUE(log.empty(3));
    EXPECT_FALSE(log.empty(4));
    EXPECT_FALSE(log.take(4, 0b10, words)) << "none of these lanes has stored";
}

TEST_F(private_log_test, limit_is_of_the_stores_of_each_lane) {
    store(0b11, 0);
    EXPECT_TRUE(log.has_room(3, 0b11));
    store(0b01, 0);
    EXPECT_FALSE(log.has_room(3, 0b01));
    EXPECT_TRUE(log.has_room(3, 0b10));
    EXPECT_FALSE(log.has_room(3, 0b11));
    EXPECT_TRUE(log.has_room(4, 0b01));
    log.clear(3);
    EXPECT_TRUE(log.has_room(3, 0b01));
}

/// Notes what the banks are told. The bank with most words restores 3 of 5.
class undo_log_test : public testing::Test, private tm_banks {
protected:
    undo_log log{*this, 8, 2};
    std::vector<bank_command> told;
    unsigned block = 0;

private:
    void check(bank_passes&) override {}
    std::uint32_t tell_all(protocol::bank_check& what) override {
        told.push_back(what.command);
        block = what.block.value();
        what.words = 5;
        return 3;
    }
};

TEST_F(undo_log_test, shared_words_are_the_banks) {
    const undo_log::undone undone = log.lose({1, 2, 32, 0b1});
    EXPECT_EQ(undone.words, 5U);
    EXPECT_EQ(undone.cycles, 3U);
    EXPECT_EQ(block, 2U);
    log.commit({1, 1, 32, 0b1});
    log.settle(0);
    EXPECT_THAT(told, testing::ElementsAre(bank_command::undo, bank_command::forget,
                                           bank_command::settled));
}

TEST_F(undo_log_test, lanes_that_have_not_committed_get_their_private_words) {
    for (const std::uint32_t old : {10U, 20U}) {
        const logged_store entry = log.private_words().add(1, 0b11, 4, words_from(0x100).data());
        log.private_words().set_old(entry, 0b11, words_from(old).data());
    }
    EXPECT_FALSE(log.private_words().has_room(1, 0b01));
    log.end_attempt(1, 0b01);
    old_words words;
    for (const std::uint32_t old : {20U, 10U}) {
        ASSERT_TRUE(log.restores(1));
        ASSERT_TRUE(log.next_restored(1, words));
        EXPECT_EQ(words.lanes, 0b10U);
        EXPECT_EQ(words.value[1], old + 1);
    }
    EXPECT_FALSE(log.restores(1));
    EXPECT_TRUE(log.private_words().has_room(1, 0b01)) << "the next attempt stores anew";
}

TEST_F(undo_log_test, a_transaction_that_is_over_restores_nothing) {
    (void)log.private_words().add(1, 0b11, 4, words_from(0x100).data());
    log.end_transaction(1);
    EXPECT_FALSE(log.restores(1));
}

}  // namespace
}  // namespace heddle
