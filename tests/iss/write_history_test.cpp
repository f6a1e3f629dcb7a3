// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/write_history.h"

#include <gmock/gmock.h>

#include "models/iss/atomic_chains.h"
#include "models/iss/shared_races.h"
#include "models/iss/transaction_words.h"

namespace heddle::iss {
namespace {

using testing::ElementsAre;
using verdict = write_history::verdict;

constexpr std::uint32_t at = 0x40000100;

/// One word, with accesses by SMX and number.
struct one_word {
    write_history history;

    one_word() {
        const std::uint32_t start = 1;
        history.set(at, &start, sizeof start);
    }
    write_history::write_id store(std::uint32_t value, std::uint32_t sm, std::uint64_t number,
                                  std::uint64_t time, std::uint8_t bytes = 0xf) {
        return history.begin({at, bytes, value}, {sm, number}, time, {});
    }
    [[nodiscard]] verdict load(std::uint32_t value, std::uint32_t sm, std::uint64_t number,
                               std::uint64_t from, std::uint8_t bytes = 0xf) const {
        return history.judge({at, bytes, value}, {{sm, number}, from});
    }
    /// Of a load that has found this value.
    [[nodiscard]] write_history::possible_values possible(std::uint32_t found,
                                                          const write_history::place& by,
                                                          std::uint64_t from,
                                                          std::uint8_t bytes = 0xf) const {
        return history.possible({at, bytes, found}, {by, from});
    }
};

TEST(write_history, gives_what_the_host_has_written) {
    const one_word w;
    EXPECT_EQ(w.load(1, 0, 1, 10), verdict::exact);
    EXPECT_EQ(w.load(0, 0, 1, 10), verdict::impossible);
    EXPECT_EQ(w.history.judge({at + 4, 0xf, 0}, {{0, 1}, 10}), verdict::exact);
}

TEST(write_history, a_store_of_another_smx_shows_from_its_begin_and_must_from_its_end) {
    one_word w;
    const auto id = w.store(2, 1, 1, 100);
    for (const std::uint32_t value : {1, 2}) {
        EXPECT_EQ(w.load(value, 0, 1, 150), verdict::one_of_several) << value;
    }
    EXPECT_EQ(w.load(3, 0, 1, 150), verdict::impossible);
    w.history.end(id, 200);
    EXPECT_EQ(w.load(1, 0, 1, 199), verdict::one_of_several) << "began before the end";
    EXPECT_EQ(w.load(1, 0, 1, 200), verdict::impossible);
    EXPECT_EQ(w.load(2, 0, 1, 200), verdict::exact);
}

TEST(write_history, accesses_of_one_smx_keep_their_order) {
    one_word w;
    w.store(2, 0, 5, 100);
    EXPECT_EQ(w.load(1, 0, 6, 101), verdict::impossible) << "though it may be under way";
    EXPECT_EQ(w.load(2, 0, 6, 101), verdict::exact);
    EXPECT_EQ(w.load(1, 0, 4, 99), verdict::exact) << "issued before the store";
    EXPECT_EQ(w.load(2, 0, 4, 99), verdict::impossible);
    w.store(3, 0, 7, 110);
    EXPECT_EQ(w.load(2, 0, 8, 120), verdict::impossible);
    EXPECT_EQ(w.load(3, 0, 8, 120), verdict::exact);
    EXPECT_EQ(w.load(2, 1, 8, 120), verdict::one_of_several) << "another SMX may see either";
}

/// Under mimd: a load of turn 5 and what other instructions of the turn do.
TEST(write_history, instructions_of_one_turn_have_no_order) {
    one_word w;
    w.store(2, 0, 4, 90);
    const auto store = [&](std::uint32_t value, std::uint16_t instruction) {
        w.history.begin({at, 0xf, value}, {0, 5, instruction}, 100, {});
    };
    const auto load = [&](std::uint32_t value, const write_history::place& by) {
        return w.history.judge({at, 0xf, value}, {by, 120});
    };
    store(3, 2);
    EXPECT_EQ(load(2, {0, 5, 1}), verdict::one_of_several) << "the load is told first";
    EXPECT_EQ(load(3, {0, 5, 1}), verdict::one_of_several);
    EXPECT_EQ(load(2, {0, 5, 3}), verdict::one_of_several) << "the store is told first";
    EXPECT_EQ(load(3, {0, 5, 3}), verdict::one_of_several);
    EXPECT_EQ(load(1, {0, 5, 3}), verdict::impossible) << "replaced in an earlier turn";
    EXPECT_EQ(load(2, {0, 6, 0}), verdict::impossible) << "replaced, as a later turn sees";
    EXPECT_EQ(load(3, {0, 4, 7}), verdict::impossible) << "of a turn before the store";
    store(4, 9);
    EXPECT_EQ(load(3, {0, 6, 0}), verdict::one_of_several) << "either store may be the last";
    EXPECT_EQ(load(4, {0, 6, 0}), verdict::one_of_several);
    w.history.begin({at, 0xf, 5}, {0, 5, 9, 17}, 100, {});
    EXPECT_EQ(load(4, {0, 6, 0}), verdict::impossible) << "replaced by a higher lane";
    EXPECT_EQ(load(5, {0, 6, 0}), verdict::one_of_several);
}

TEST(write_history, shows_what_is_possible) {
    one_word w;
    EXPECT_THAT(w.possible(7, {0, 1}, 10).values, ElementsAre(1));
    const auto first = w.store(2, 1, 1, 100);
    EXPECT_THAT(w.possible(7, {0, 1}, 150).values, ElementsAre(2, 1));
    w.history.end(first, 160);
    EXPECT_THAT(w.possible(7, {0, 1}, 170).values, ElementsAre(2)) << "not what was at the start";
    const auto atomic = w.history.begin_unknown(at, {1, 2}, 180, {}, true);
    EXPECT_TRUE(w.possible(7, {0, 1}, 200).open);
    EXPECT_THAT(w.possible(7, {0, 1}, 200).values, ElementsAre(2));
    w.history.end(atomic, 210);
    EXPECT_THAT(w.possible(7, {0, 1}, 220).values, testing::IsEmpty());
    EXPECT_TRUE(w.possible(7, {0, 1}, 220).open) << "only what the atomic leaves";
    w.history.know(atomic, 3);
    EXPECT_FALSE(w.possible(7, {0, 1}, 220).open);
    for (std::uint32_t sm = 2; sm < 8; ++sm) w.store(sm + 10, sm, 1, 300);
    const auto many = w.possible(7, {0, 1}, 310);
    EXPECT_THAT(many.values, ElementsAre(17, 16, 15, 14));
    EXPECT_EQ(many.others, 3U);
}

TEST(write_history, shows_possible_values_beside_the_bytes_that_are_right) {
    one_word w;
    w.history.end(w.store(0xaa00, 1, 1, 100, 0b0010), 110);
    w.store(0xbb00, 2, 1, 150, 0b0010);
    w.store(0x770000, 2, 2, 150, 0b0100);
    EXPECT_THAT(w.possible(0x00770001, {0, 1}, 200).values, ElementsAre(0x77bb01, 0x77aa01));
    EXPECT_THAT(w.possible(0xaa02, {0, 1}, 200).values, ElementsAre(0xaa01)) << "the lowest byte";
    EXPECT_THAT(w.possible(0x5500, {0, 1}, 200, 0b0010).values, ElementsAre(0xbb00, 0xaa00));
}

/// Threads of several warps store with one instruction: their order is that of their places.
TEST(write_history, the_last_of_one_smx_is_the_one_of_the_highest_number) {
    one_word w;
    w.store(2, 0, 7, 100);
    w.store(3, 0, 6, 100);
    EXPECT_EQ(w.load(2, 0, 8, 101), verdict::exact);
    EXPECT_EQ(w.load(3, 0, 8, 101), verdict::impossible);
    const auto lost = w.history.settle([](std::uint32_t, const auto&) { return 2U; });
    EXPECT_FALSE(lost);
}

TEST(write_history, stores_of_two_smxs_may_change_places_unless_one_has_ended) {
    one_word w;
    const auto first = w.store(2, 1, 1, 100);
    const auto second = w.store(3, 2, 1, 110);
    w.history.end(first, 120);
    w.history.end(second, 130);
    EXPECT_EQ(w.load(2, 0, 1, 200), verdict::one_of_several);
    EXPECT_EQ(w.load(3, 0, 1, 200), verdict::one_of_several);
    EXPECT_EQ(w.load(1, 0, 1, 200), verdict::impossible);
    const auto third = w.store(4, 1, 2, 130);
    w.history.end(third, 140);
    EXPECT_EQ(w.load(3, 0, 1, 200), verdict::impossible);
    EXPECT_EQ(w.load(4, 0, 1, 200), verdict::exact);
}

TEST(write_history, a_stale_line_may_give_what_was_replaced_since) {
    one_word w;
    w.history.end(w.store(2, 1, 1, 100), 110);
    EXPECT_EQ(w.load(1, 0, 9, 105), verdict::one_of_several) << "forgotten during the store";
    EXPECT_EQ(w.load(1, 0, 9, 110), verdict::impossible) << "forgotten after it";
    w.store(3, 0, 8, 300);
    EXPECT_EQ(w.load(1, 0, 9, 0), verdict::impossible) << "its own SMX has written since";
}

TEST(write_history, bytes_are_judged_apart) {
    one_word w;
    w.history.end(w.store(0xaa00, 1, 1, 100, 0b0010), 110);
    EXPECT_EQ(w.load(0xaa01, 0, 1, 200), verdict::exact);
    EXPECT_EQ(w.load(0x0001, 0, 1, 200), verdict::impossible);
    w.store(0xbb00, 2, 1, 150, 0b0010);
    EXPECT_EQ(w.load(0xaa01, 0, 1, 200), verdict::one_of_several);
    EXPECT_EQ(w.load(0xbb01, 0, 1, 200), verdict::one_of_several);
    EXPECT_EQ(w.load(0x01, 0, 1, 200, 0b0001), verdict::exact) << "the byte that nobody writes";
}

TEST(write_history, a_value_is_open_until_the_atomic_is_known) {
    one_word w;
    const auto id = w.history.begin_unknown(at, {1, 1}, 100, {}, true);
    EXPECT_EQ(w.load(5, 0, 1, 120), verdict::open);
    w.history.know(id, 5);
    EXPECT_EQ(w.load(5, 0, 1, 120), verdict::one_of_several);
    EXPECT_EQ(w.load(6, 0, 1, 120), verdict::impossible);
    const auto none = w.history.begin_unknown(at, {1, 2}, 130, {}, false);
    EXPECT_TRUE(w.history.store_under_way(at));
    w.history.cancel(none);
    EXPECT_FALSE(w.history.store_under_way(at));
    EXPECT_EQ(w.load(6, 0, 1, 140), verdict::impossible);
}

TEST(write_history, old_writes_go_without_a_trace) {
    one_word w;
    for (std::uint64_t n = 1; n <= 1000; ++n) {
        w.history.set_horizon(10 * n);
        w.history.end(w.store(static_cast<std::uint32_t>(n + 1), n % 3, n, 10 * n), 10 * n + 5);
    }
    EXPECT_EQ(w.load(1001, 0, 2000, 20000), verdict::exact);
    EXPECT_EQ(w.load(1000, 0, 2000, 20000), verdict::impossible);
    EXPECT_THAT(w.possible(0, {0, 2000}, 20000).values, ElementsAre(1001U));
}

/// As shared memory of a core that answers at once.
TEST(write_history, writes_without_latency_in_one_cycle_have_no_order) {
    one_word w;
    w.history.end(w.store(2, 1, 1, 50), 50);
    w.history.end(w.store(3, 2, 1, 50), 50);
    EXPECT_EQ(w.load(2, 0, 1, 60), verdict::one_of_several);
    EXPECT_EQ(w.load(3, 0, 1, 60), verdict::one_of_several);
    EXPECT_EQ(w.load(1, 0, 1, 60), verdict::impossible);
    EXPECT_EQ(w.load(3, 1, 1, 50), verdict::exact);
    EXPECT_EQ(w.load(2, 1, 1, 50), verdict::impossible) << "its own is no write before it";
}

TEST(write_history, an_access_without_latency_does_not_see_its_own_write) {
    one_word w;
    w.history.end(w.store(2, 1, 1, 50), 50);
    EXPECT_EQ(w.load(1, 1, 1, 50), verdict::exact);
    EXPECT_EQ(w.load(2, 1, 1, 50), verdict::impossible);
    EXPECT_EQ(w.load(2, 1, 2, 50), verdict::exact);
}

TEST(write_history, words_begin_anew) {
    one_word w;
    w.history.end(w.store(2, 1, 1, 50), 55);
    (void)w.store(3, 2, 1, 60);
    w.history.restart(at, 4);
    EXPECT_EQ(w.load(0, 0, 1, 10), verdict::exact);
    EXPECT_EQ(w.load(3, 0, 1, 70), verdict::impossible);
    w.history.end(w.store(4, 1, 2, 80), 85);
    EXPECT_EQ(w.load(4, 0, 1, 90), verdict::exact);
    w.history.restart(at, 4);
    EXPECT_FALSE(w.history.settle([](std::uint32_t, const auto&) {
        ADD_FAILURE() << "nobody has written there";
        return 0U;
    }));
}

TEST(write_history, settles_on_what_is_expected_where_nobody_knows) {
    one_word w;
    w.history.end(w.store(0x55, 1, 1, 50, 0x1), 55);
    EXPECT_FALSE(w.history.settle([](std::uint32_t, const auto& expected) {
        EXPECT_EQ(expected(), 0x55U);
        return expected();
    }));
    EXPECT_EQ(w.load(0x55, 0, 1, 60), verdict::exact);
}

TEST(write_history, settles_on_what_memory_holds) {
    one_word w;
    const auto settle = [&](std::uint32_t held) {
        return w.history.settle([&](std::uint32_t, const auto&) { return held; });
    };
    w.history.end(w.history.begin({at, 0xf, 2}, {1, 1}, 100, {7, 3}), 110);
    const auto lost = settle(1);
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->expected.address, at);
    EXPECT_EQ(lost->expected.value, 2U);
    EXPECT_EQ(lost->found, 1U);
    EXPECT_EQ(lost->by.source, 7U);
    EXPECT_EQ(lost->by.lane, 3U);
    w.history.end(w.store(4, 1, 2, 200), 220);
    w.history.end(w.store(5, 2, 1, 210), 220);
    EXPECT_FALSE(settle(4)) << "either may be last";
    EXPECT_EQ(w.load(4, 0, 1, 300), verdict::exact);
    EXPECT_EQ(w.load(5, 0, 1, 300), verdict::impossible);
}

TEST(atomic_chains, finds_updates_that_are_lost_or_done_twice) {
    const auto alone = [] { return false; };
    atomic_chains chains;
    for (unsigned n = 0; n < 3; ++n) chains.began(at, alone);
    EXPECT_FALSE(chains.ended(at, 1, 2));  // the answers may come in any order
    EXPECT_FALSE(chains.ended(at, 0, 1));
    EXPECT_FALSE(chains.ended(at, 2, 3));
    chains.began(at, alone);
    EXPECT_FALSE(chains.ended(at, 3, 3)) << "one that changes nothing";
    chains.began(at, alone);
    chains.began(at, alone);
    EXPECT_FALSE(chains.ended(at, 3, 4));
    EXPECT_EQ(chains.ended(at, 3, 4), 3U) << "found by both";
    chains.clear();
    chains.began(at, alone);
    chains.began(at, alone);
    EXPECT_FALSE(chains.ended(at, 3, 4));
    EXPECT_TRUE(chains.ended(at, 5, 6)) << "4 has become 5 by nobody";
}

TEST(atomic_chains, don_t_judge_a_word_that_is_stored_to) {
    atomic_chains chains;
    chains.began(at, [] { return false; });
    chains.began(at, [] { return false; });
    chains.disturb(at);
    EXPECT_FALSE(chains.ended(at, 0, 1));
    EXPECT_FALSE(chains.ended(at, 0, 1));
    chains.clear();
    chains.began(at, [] { return true; });
    chains.began(at, [] { return true; });
    EXPECT_FALSE(chains.ended(at, 0, 1));
    EXPECT_FALSE(chains.ended(at, 0, 1));
}

TEST(shared_races, need_two_warps_a_change_and_no_barrier) {
    using kind = shared_races::kind;
    shared_races races(64);
    EXPECT_FALSE(races.note(0, kind::write, {0, 0x100}, true));
    EXPECT_FALSE(races.note(0, kind::read, {0, 0x104}, false)) << "one warp";
    EXPECT_FALSE(races.note(4, kind::read, {1, 0x108}, false)) << "another word";
    const auto other = races.note(2, kind::read, {1, 0x108}, false);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->warp, 0);
    EXPECT_EQ(other->pc, 0x100U);
    races.barrier();
    EXPECT_FALSE(races.note(0, kind::read, {1, 0x108}, false));
    EXPECT_FALSE(races.note(0, kind::read, {2, 0x108}, false)) << "two readers";
    EXPECT_FALSE(races.note(0, kind::write, {2, 0x10c}, false)) << "changes nothing";
    EXPECT_TRUE(races.note(0, kind::write, {2, 0x10c}, true)) << "the other reader";
    races.barrier();
    EXPECT_FALSE(races.note(8, kind::atomic, {0, 0x110}, true));
    EXPECT_FALSE(races.note(8, kind::atomic, {1, 0x110}, true)) << "atomics may meet";
    EXPECT_TRUE(races.note(8, kind::read, {0, 0x114}, false));
    EXPECT_TRUE(races.note(8, kind::write, {2, 0x118}, true));
}

TEST(transaction_words, two_transactions_may_only_read_together) {
    transaction_words words(64);
    EXPECT_EQ(words.read(8, 3), std::nullopt);
    EXPECT_EQ(words.read(8, 200), std::nullopt);
    EXPECT_EQ(words.read(9, 70), std::nullopt);  // a byte of the same word
    EXPECT_EQ(words.write(8, 3), 70u);           // of the readers 70 and 200
    words.forget(70);
    EXPECT_EQ(words.write(8, 3), 200u);
    words.forget(200);
    EXPECT_EQ(words.write(8, 3), std::nullopt);
    EXPECT_EQ(words.write(8, 3), std::nullopt);
    EXPECT_EQ(words.read(11, 4), 3u);
    EXPECT_EQ(words.write(11, 4), 3u);
    EXPECT_EQ(words.write(12, 4), std::nullopt);
    EXPECT_TRUE(words.owned(10));
    EXPECT_TRUE(words.owned(12));
    words.forget(3);
    EXPECT_FALSE(words.owned(8));
    EXPECT_TRUE(words.owned(12));
    EXPECT_EQ(words.write(8, 4), std::nullopt);
    words.forget(4);
    EXPECT_FALSE(words.owned(8));
    EXPECT_FALSE(words.owned(12));
}

}  // namespace
}  // namespace heddle::iss
