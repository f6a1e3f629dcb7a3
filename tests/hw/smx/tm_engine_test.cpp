// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include "tests/hw/smx/tm_fixture.h"

namespace heddle {
namespace {

using testing::ElementsAre;

transaction_configuration with(
    const transaction_detection& detection,
    transaction_serialization serialization = transaction_serialization::ascending_single) {
    transaction_configuration c;
    c.detection = detection;
    c.serialization = serialization;
    return c;
}

/// Each item reads its own word and writes value + 1 to that of its partner, until all have
/// committed.
void run_pairs(tm_rig& rig, unsigned items) {
    std::vector<std::uint32_t> read(items);
    rig.begin(0, bits::below(items));
    do {
        ASSERT_TRUE(rig.engine.may_run(0));
        rig.engine.run(0);
        rig.load(0, ~0ULL, [](unsigned lane) { return lane; });
        bits::for_each(rig.answer.lanes & ~rig.answer.lost,
                       [&](unsigned lane) { read[lane] = rig.answer.data[lane]; });
        rig.store(
            0, ~0ULL, [](unsigned lane) { return lane ^ 1; },
            [&](unsigned lane) { return read[lane] + 1; });
    } while (!rig.end_attempt(0));
}

class each_pair
    : public testing::TestWithParam<std::tuple<transaction_detection, transaction_serialization>> {
protected:
    transaction_configuration configuration =
        with(std::get<0>(GetParam()), std::get<1>(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(all, each_pair,
                         testing::Combine(testing::ValuesIn(conflict_detectors::all()),
                                          testing::ValuesIn(all_serializations)));

/// 2P items: 1 + 3P attempts, P of them serialized, 2P(P + 1) losses; with multiple selection 4, 1
/// and 4P.
TEST_P(each_pair, takes_the_attempts_of_the_worked_sequence) {
    const bool multiple =
        configuration.serialization >= transaction_serialization::ascending_multiple;
    for (const unsigned pairs : {1U, 2U, 16U}) {
        tm_rig rig(configuration);
        run_pairs(rig, 2 * pairs);
        const tm_counts& c = rig.engine.counts();
        EXPECT_EQ(c.attempts(), multiple ? 4 : 1 + 3 * pairs);
        EXPECT_EQ(c.wf_attempts, multiple ? 1 : pairs);
        EXPECT_EQ(c.wg_attempts, 0);
        EXPECT_EQ(c.losses, multiple ? 4 * pairs : 2 * pairs * (pairs + 1));
        EXPECT_EQ(c.commits, 2 * pairs);
    }
}

TEST_P(each_pair, leaves_the_values_of_the_worked_sequence) {
    const bool ascending =
        configuration.serialization == transaction_serialization::ascending_single ||
        configuration.serialization == transaction_serialization::ascending_multiple;
    tm_rig rig(configuration);
    for (unsigned n = 0; n < 4; ++n) rig.memory.write(4 * n, 10 * (n + 1), 4);
    run_pairs(rig, 4);
    const std::vector<std::uint32_t> found{rig.word(0), rig.word(1), rig.word(2), rig.word(3)};
    if (ascending) {
        EXPECT_THAT(found, ElementsAre(12, 11, 32, 31));
    } else {
        EXPECT_THAT(found, ElementsAre(21, 22, 41, 42));
    }
}

TEST_P(each_pair, loser_gets_its_words_back_and_is_known_no_more) {
    tm_rig rig(configuration);
    for (unsigned n = 0; n < 64; ++n) rig.memory.write(4 * n, 100 + n, 4);
    rig.begin(0, 0b11);
    rig.engine.run(0);
    rig.store(
        0, 0b11, [](unsigned lane) { return 2 * lane; }, [](unsigned) { return 7; });
    rig.store(
        0, 0b01, [](unsigned) { return 0; }, [](unsigned) { return 8; });  // its own word again
    rig.store(
        0, 0b01, [](unsigned) { return 33; }, [](unsigned) { return 9; });
    EXPECT_EQ(rig.word(0), 8);
    rig.store(
        0, 0b01, [](unsigned) { return 2; }, [](unsigned) { return 10; });
    EXPECT_EQ(rig.answer.lost, 0b01);
    EXPECT_EQ(rig.answer.lost_to_higher, 0b01);
    EXPECT_EQ(rig.answer.lost_to_lower, 0);
    EXPECT_EQ(rig.heard[0], 0b01);
    EXPECT_EQ(rig.word(0), 100);
    EXPECT_EQ(rig.word(33), 133);
    EXPECT_EQ(rig.word(2), 7);
    EXPECT_EQ(rig.engine.counts().restored_words, 2);
    rig.store(
        0, 0b10, [](unsigned) { return 0; }, [](unsigned) { return 11; });
    EXPECT_EQ(rig.answer.lost, 0);
    EXPECT_FALSE(rig.end_attempt(0));
    EXPECT_EQ(rig.word(0), 11);
    EXPECT_EQ(rig.engine.active(0), 0b01);
}

/// What a loser gets back is the word as it was before its first store, of whatever size.
TEST_P(each_pair, loser_of_stores_to_parts_of_a_word_gets_the_whole_word_back) {
    for (const std::uint8_t bytes : {std::uint8_t{1}, std::uint8_t{2}}) {
        tm_rig rig(configuration);
        rig.memory.write(20, 0x44332211, 4);
        rig.begin(0, 0b11);
        rig.engine.run(0);
        rig.store_part(0, 0b01, 20, bytes, 0xaaaa);
        rig.store_part(0, 0b01, 22, bytes, 0xbbbb);
        EXPECT_EQ(rig.word(5), bytes == 1 ? 0x44bb22aaU : 0xbbbbaaaaU);
        rig.store(
            0, 0b10, [](unsigned) { return 9; }, [](unsigned) { return 1; });
        rig.load(0, 0b01, [](unsigned) { return 9; });
        EXPECT_EQ(rig.answer.lost, 0b01);
        EXPECT_EQ(rig.word(5), 0x44332211U);
        EXPECT_EQ(rig.engine.counts().restored_words, 1);
    }
}

TEST_P(each_pair, block_in_another_slot_has_its_own_words) {
    tm_rig rig(configuration);
    rig.slot = 1;
    for (unsigned n = 0; n < 64; ++n) rig.memory.write(tm_rig::window + 4 * n, 100 + n, 4);
    rig.begin(0, 0b11);
    rig.engine.run(0);
    rig.store(
        0, 0b11, [](unsigned lane) { return 33 + lane; }, [](unsigned) { return 7; });
    rig.load(0, 0b01, [](unsigned) { return 34; });
    EXPECT_EQ(rig.answer.lost, 0b01);
    EXPECT_EQ(rig.word(33), 133);
    EXPECT_EQ(rig.word(34), 7);
    EXPECT_THAT(rig.engine.waiting_text(0),
                testing::HasSubstr("item 0 of the block lost last, at byte 136 of shared memory to "
                                   "item 1"));
    rig.slot = 0;  // nobody there has touched anything
    EXPECT_EQ(rig.word(33), 0);
    rig.begin(1, 0b1);
    rig.engine.run(1);
    rig.load(1, 0b1, [](unsigned) { return 34; });
    EXPECT_EQ(rig.answer.lost, 0);
}

/// Two items that access in one pass what the other has accessed before both lose.
TEST_P(each_pair, two_items_make_each_other_lose) {
    tm_rig rig(configuration);
    rig.begin(0, 0b11);
    rig.engine.run(0);
    rig.store(
        0, 0b11, [](unsigned lane) { return lane; }, [](unsigned) { return 1; });
    rig.load(0, 0b11, [](unsigned lane) { return lane ^ 1; });
    EXPECT_EQ(rig.answer.lost, 0b11);
    EXPECT_EQ(rig.answer.lost_to_lower, 0b10);
    EXPECT_EQ(rig.answer.lost_to_higher, 0b01);
    EXPECT_EQ(rig.word(0), 0);
    EXPECT_EQ(rig.word(1), 0);
}

/// Items of two warps want each other's words again and again: one warp has to be alone.
TEST_P(each_pair, warp_that_always_loses_runs_alone) {
    tm_rig rig(configuration);
    rig.begin(0, 1);
    rig.begin(1, 1);
    bool done[2] = {false, false};
    unsigned rounds = 0;
    while ((!done[0] || !done[1]) && ++rounds < 20) {
        const bool run[2] = {!done[0] && rig.engine.may_run(0), !done[1] && rig.engine.may_run(1)};
        const auto all = [&](auto&& each) {
            for (unsigned w = 0; w < 2; ++w) {
                if (run[w]) each(w);
            }
        };
        all([&](unsigned w) { rig.engine.run(w); });
        all([&](unsigned w) {
            rig.store(
                w, 1, [&](unsigned) { return w; }, [](unsigned) { return 5; });
        });
        // The other's access comes before anything is broadcast only if both are in one pass; here
        // the second one finds nobody.
        all([&](unsigned w) { rig.load(w, 1, [&](unsigned) { return w ^ 1; }); });
        all([&](unsigned w) { done[w] = rig.end_attempt(w); });
    }
    EXPECT_TRUE(done[0] && done[1]);
    EXPECT_EQ(rig.engine.counts().commits, 2);
    EXPECT_EQ(rig.engine.holder(0), tm_engine::no_warp);
}

TEST(tm_engine, one_that_runs_alone_makes_the_others_lose_and_wait) {
    tm_rig rig(with(conflict_detectors::of<dcd>));
    rig.begin(0, 0b11);
    rig.begin(1, 0b11);
    rig.engine.begin(2, 1, 64, 0b11);  // of another block, which goes on
    rig.engine.run(2);
    rig.engine.run(1);
    rig.store(
        1, 0b11, [](unsigned lane) { return lane; }, [](unsigned) { return 5; });
    for (unsigned attempt = 0; attempt < 3; ++attempt) {
        EXPECT_TRUE(rig.engine.may_run(0));
        rig.engine.run(0);
        rig.load(0, 0b11, [](unsigned lane) { return lane; });
        EXPECT_FALSE(rig.end_attempt(0));
    }
    EXPECT_EQ(rig.engine.holder(0), 0);
    EXPECT_EQ(rig.heard[1] | rig.heard[2] << 8, 0b11);
    EXPECT_EQ(rig.word(0), 0);
    EXPECT_EQ(rig.engine.counts().aborts, 2);
    EXPECT_FALSE(rig.end_attempt(1));
    EXPECT_FALSE(rig.engine.may_run(1));
    EXPECT_EQ(rig.engine.active(1), 0b11);
    EXPECT_EQ(rig.engine.masks(1).mode(), transaction_mode::tx);
    for (unsigned item = 0; item < 2; ++item) {
        rig.engine.run(0);
        EXPECT_EQ(rig.engine.active(0), bits::one(item));
        EXPECT_EQ(rig.end_attempt(0), item == 1);
    }
    EXPECT_EQ(rig.engine.counts().wg_attempts, 2);
    EXPECT_TRUE(rig.engine.may_run(1));
}

TEST(tm_engine, access_that_was_queued_before_its_lane_lost_does_not_happen) {
    tm_rig rig(with(conflict_detectors::of<dcd>));
    rig.begin(0, 0b11);
    rig.engine.run(0);
    const auto word = [](unsigned lane) { return lane; };
    rig.store(0, 0b11, word, [](unsigned) { return 5; });
    rig.load(0, 0b01, [](unsigned) { return 1; });
    EXPECT_EQ(rig.answer.lost, 0b01);
    protocol::shared_access queued;
    queued.command = protocol::local_command::store;
    queued.transactional = true;
    queued.lanes = 0b11;
    for (unsigned lane = 0; lane < 2; ++lane) {
        queued.address[lane] = 4 * (2 + lane);
        queued.data[lane] = 9;
    }
    EXPECT_EQ(rig.engine.access(queued).cycles, 9);
    EXPECT_EQ(queued.lost, 0b01);
    EXPECT_EQ(queued.lost_to_higher, 0);
    EXPECT_EQ(rig.word(2), 0);
    EXPECT_EQ(rig.word(3), 9);
    queued.lanes = queued.lost;
    EXPECT_EQ(rig.engine.access(queued).cycles, 1);  // nobody is left
}

// Cycles

TEST(tm_engine, pass_takes_5_cycles_and_with_a_directory_more) {
    for (const transaction_detection& detection : conflict_detectors::all()) {
        tm_rig rig(with(detection));
        const unsigned pass = detection.directory ? 9 : 5;
        rig.begin(0, bits::below(32));
        rig.engine.run(0);
        EXPECT_EQ(rig.load(0, ~0ULL, [](unsigned lane) { return lane; }), pass);
        EXPECT_EQ(rig.load(0, 0b111, [](unsigned lane) { return lane; }), pass);
        rig.end_attempt(0);
        rig.begin(0, 0b11111);
        rig.engine.run(0);
        // Bank 0 for lanes 0, 1 and 3: three passes.
        EXPECT_EQ(rig.load(0, ~0ULL,
                           [](unsigned lane) { return lane == 2 || lane == 4 ? lane : 32 * lane; }),
                  3 * pass);
        EXPECT_EQ(rig.engine.counts().passes, 5);
    }
}

TEST(tm_engine, restoring_takes_a_cycle_for_each_word_in_the_fullest_bank) {
    tm_rig rig(with(conflict_detectors::of<dcd>));
    rig.begin(0, 0b11);
    rig.engine.run(0);
    for (const unsigned word : {1U, 33U, 65U, 2U}) {
        rig.store(
            0, 0b01, [&](unsigned) { return word; }, [](unsigned) { return 1; });
    }
    rig.store(
        0, 0b10, [](unsigned) { return 0; }, [](unsigned) { return 1; });
    EXPECT_EQ(rig.load(0, 0b01, [](unsigned) { return 0; }), 9 + 3);
}

// What each detection knows

/// Whether item 1 loses when it accesses a word of item 0, which has loaded or stored it.
bool loses(const transaction_detection& detection, bool first_writes, bool second_writes) {
    tm_rig rig(with(detection));
    rig.begin(0, 0b11);
    rig.engine.run(0);
    const auto word = [](unsigned) { return 5; };
    for (const unsigned lane : {0U, 1U}) {
        const isa::lane_mask one = bits::one(lane);
        if (lane == 0 ? first_writes : second_writes) {
            rig.store(0, one, word, word);
        } else {
            rig.load(0, one, word);
        }
    }
    return rig.answer.lost == 0b10;
}

TEST(tm_engine, reads_conflict_with_reads_where_the_paper_says) {
    for (const transaction_detection& detection : conflict_detectors::all()) {
        const bool filtered = detection == conflict_detectors::of<swo_sig> ||
                              detection == conflict_detectors::of<smdcd>;
        EXPECT_EQ(loses(detection, false, false), !filtered);
        EXPECT_TRUE(loses(detection, true, false));
        EXPECT_TRUE(loses(detection, false, true));
        EXPECT_TRUE(loses(detection, true, true));
    }
}

TEST(tm_engine, swo_sig_forgets_writes_of_a_warp_when_none_of_its_lanes_runs) {
    tm_rig rig(with(conflict_detectors::of<swo_sig>));
    // Word 0 and word 512 x 32 fold to the same hashes of a bank; so do words for the warps.
    rig.begin(0, 0b11);
    rig.engine.run(0);
    rig.store(
        0, 0b01, [](unsigned) { return 5; }, [](unsigned) { return 1; });
    rig.load(0, 0b10, [](unsigned) { return 5; });
    EXPECT_EQ(rig.answer.lost, 0b10);
    EXPECT_FALSE(rig.end_attempt(0));  // item 0 commits
    rig.engine.run(0);
    rig.load(0, 0b10, [](unsigned) { return 5; });
    EXPECT_EQ(rig.answer.lost, 0);
    rig.begin(1, 0b1);
    rig.engine.run(1);
    rig.load(1, 0b1, [](unsigned) { return 5; });  // both read: no write is known any more
    EXPECT_EQ(rig.answer.lost, 0);
}

TEST(tm_engine, smdcd_word_stays_shared_until_no_lane_runs) {
    tm_rig rig(with(conflict_detectors::of<smdcd>));
    rig.begin(0, 0b111);
    rig.engine.run(0);
    rig.load(0, 0b011, [](unsigned) { return 5; });
    EXPECT_EQ(rig.answer.lost, 0);
    rig.store(
        0, 0b001, [](unsigned) { return 5; }, [](unsigned) { return 1; });  // the owner itself
    EXPECT_EQ(rig.answer.lost, 0b001);
    EXPECT_EQ(rig.answer.lost_to_higher, 0);  // nobody knows who has read it
    rig.store(
        0, 0b100, [](unsigned) { return 5; }, [](unsigned) { return 1; });
    EXPECT_EQ(rig.answer.lost, 0b100);
    EXPECT_FALSE(rig.end_attempt(0));
    rig.engine.run(0);
    rig.store(
        0, 0b001, [](unsigned) { return 5; }, [](unsigned) { return 1; });
    EXPECT_EQ(rig.answer.lost, 0);
}

/// Outside of a transaction lanes of one word share a turn of the bank; inside each has a pass.
TEST(tm_engine, tells_what_a_plain_access_would_take) {
    tm_rig rig(with(conflict_detectors::of<smdcd>));
    rig.begin(0, 0b1111);
    rig.engine.run(0);
    const auto turns = [&](std::initializer_list<unsigned> words) {
        protocol::shared_access load;
        load.transactional = true;
        unsigned lane = 0;
        for (const unsigned word : words) load.address[lane++] = 4 * word;
        load.lanes = bits::below(lane);
        const tm_engine::access_cost cost = rig.engine.access(load);
        return std::make_pair(cost.passes, cost.plain_turns);
    };
    using pair = std::pair<unsigned, unsigned>;
    EXPECT_EQ(turns({0, 1, 2}), pair(1, 1));
    EXPECT_EQ(turns({0, 0, 1}), pair(2, 1));
    EXPECT_EQ(turns({0, 32, 1}), pair(2, 2));
    EXPECT_EQ(turns({0, 32, 64, 64}), pair(4, 3));
    EXPECT_EQ(turns({5, 5, 5, 5}), pair(4, 1));
}

TEST(tm_engine, counts_plain_accesses_that_touch_an_owned_word) {
    tm_rig rig(with(conflict_detectors::of<prw_sig>));
    protocol::shared_access plain;
    plain.lanes = 0b11;
    plain.address[0] = 20;
    plain.address[1] = 28;
    rig.engine.watch(plain);
    rig.begin(0, 1);
    rig.engine.run(0);
    rig.engine.watch(plain);
    EXPECT_EQ(rig.engine.counts().plain_conflicts, 0);
    rig.store(
        0, 1, [](unsigned) { return 7; }, [](unsigned) { return 1; });
    rig.engine.watch(plain);
    EXPECT_EQ(rig.engine.counts().plain_conflicts, 1);
    rig.end_attempt(0);
    rig.engine.watch(plain);
    EXPECT_EQ(rig.engine.counts().plain_conflicts, 1);
}

}  // namespace
}  // namespace heddle
