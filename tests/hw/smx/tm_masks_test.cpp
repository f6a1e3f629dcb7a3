// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <string>

#include "hw/smx/tm/transaction_masks.h"
#include "models/base/bits.h"

namespace heddle {
namespace {

using isa::lane_mask;
using verdict = transaction_masks::verdict;

/// A mask of 4 work-items as the paper prints it: work-item 0 leftmost.
std::string printed(lane_mask lanes) {
    std::string text;
    for (unsigned lane = 0; lane < 4; ++lane) text += bits::test(lanes, lane) ? '1' : '0';
    return text;
}
lane_mask items(const char* text) {
    lane_mask lanes = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
        if (text[lane] == '1') lanes |= bits::one(lane);
    }
    return lanes;
}

/// EXEC, TCM, TCM_OLD, mode, as a row of Table 1.
std::string row(const transaction_masks& m) {
    return printed(m.exec()) + " " + printed(m.tcm()) + " " +
           (m.tcm_old() == 0 ? "-" : printed(m.tcm_old())) + " " +
           transaction_mode_names[static_cast<unsigned>(m.mode())];
}

struct masks_of {
    explicit masks_of(transaction_serialization which) : choice(which) {}
    /// Lanes lose; those of `lower` and `higher` to others of their warp.
    void lose(lane_mask lanes, lane_mask lower = 0, lane_mask higher = 0) {
        m.lose(lanes, choice.rejected(lower, higher));
    }
    verdict end() { return m.end_attempt(choice); }

    serialization choice;
    transaction_masks m;
};

/// Villegas et al., Table 1, row by row.
TEST(transaction_masks, table_1_of_the_paper) {
    masks_of warp(transaction_serialization::ascending_single);
    warp.m.begin(items("1111"));
    EXPECT_EQ(row(warp.m), "1111 0000 - tx");  // TX Begin
    warp.lose(items("1100"));
    EXPECT_EQ(row(warp.m), "1111 1100 - tx");  // Memory Access, TX Commit
    EXPECT_EQ(warp.end(), verdict::again);
    EXPECT_EQ(row(warp.m), "1100 0000 1100 tx");  // TX Begin
    warp.lose(items("1100"));
    EXPECT_EQ(row(warp.m), "1100 1100 1100 tx");  // Memory Access, TX Commit: deadlock
    EXPECT_EQ(warp.end(), verdict::again);
    EXPECT_EQ(row(warp.m), "1100 0100 1100 wf_serial");  // TX Begin, Memory Access, TX Commit
    EXPECT_EQ(printed(warp.m.active()), "1000");
    EXPECT_EQ(warp.end(), verdict::again);
    EXPECT_EQ(row(warp.m), "0100 0000 0100 tx");  // TX Begin, Memory Access, TX Commit
    EXPECT_EQ(warp.end(), verdict::done);
}

TEST(transaction_masks, chosen_lanes_of_each_serialization) {
    const auto chosen = [](transaction_serialization which) {
        masks_of warp(which);
        warp.m.begin(items("1111"));
        for (unsigned attempt = 0; attempt < 2; ++attempt) {
            // 0 and 1 make each other lose, 2 and 3 do.
            warp.lose(items("1111"), items("0101"), items("1010"));
            EXPECT_EQ(warp.end(), verdict::again);
        }
        EXPECT_EQ(warp.m.mode(), transaction_mode::wf_serial);
        EXPECT_EQ(printed(warp.m.mcm()), "1111");
        return printed(warp.m.active());
    };
    EXPECT_EQ(chosen(transaction_serialization::ascending_single), "1000");
    EXPECT_EQ(chosen(transaction_serialization::descending_single), "0001");
    EXPECT_EQ(chosen(transaction_serialization::ascending_multiple), "1010");
    EXPECT_EQ(chosen(transaction_serialization::descending_multiple), "0101");
}

TEST(transaction_masks, one_that_lost_to_another_warp_stays_a_candidate) {
    masks_of warp(transaction_serialization::ascending_multiple);
    warp.m.begin(items("1111"));
    warp.lose(items("1111"), items("0100"));
    EXPECT_EQ(printed(warp.m.mcm()), "1011");
}

TEST(transaction_masks, lanes_that_lose_twice_alone_want_the_block_for_themselves) {
    masks_of warp(transaction_serialization::ascending_single);
    warp.m.begin(items("1111"));
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
        warp.lose(items("0110"));
        EXPECT_EQ(warp.end(), verdict::again);
    }
    warp.lose(items("0100"));  // the chosen one
    EXPECT_EQ(warp.end(), verdict::alone);
    warp.m.be_alone();
    EXPECT_EQ(row(warp.m), "0110 0010 0110 wg_serial");
    EXPECT_EQ(warp.end(), verdict::again);  // it has committed; the next one is alone, too
    EXPECT_EQ(row(warp.m), "0010 0000 0010 wg_serial");
    EXPECT_EQ(warp.end(), verdict::done);
}

TEST(transaction_masks, alone_in_its_block_an_attempt_without_a_commit_is_followed_by_one_lane) {
    masks_of warp(transaction_serialization::descending_multiple);
    warp.m.begin(items("1111"));
    for (unsigned attempt = 0; attempt < 3; ++attempt) {
        EXPECT_EQ(warp.m.mode(), attempt < 2 ? transaction_mode::tx : transaction_mode::wf_serial);
        warp.lose(warp.m.active());
        EXPECT_EQ(warp.end(), attempt < 2 ? verdict::again : verdict::alone);
    }
    warp.m.be_alone();
    EXPECT_EQ(printed(warp.m.active()), "1111");
    warp.lose(items("1111"));
    EXPECT_EQ(warp.end(), verdict::again);
    EXPECT_EQ(printed(warp.m.active()), "0001");
}

TEST(transaction_masks, aborted_attempt_is_forgotten) {
    masks_of warp(transaction_serialization::ascending_single);
    warp.m.begin(items("1111"));
    warp.lose(items("1100"));
    EXPECT_EQ(warp.end(), verdict::again);
    warp.m.abort();
    EXPECT_EQ(row(warp.m), "1100 1100 - tx");
    warp.m.restart();
    EXPECT_EQ(row(warp.m), "1100 0000 - tx");
    warp.lose(items("1100"));  // the same lanes again, but not in two attempts that follow
    EXPECT_EQ(warp.end(), verdict::again);
    EXPECT_EQ(row(warp.m), "1100 0000 1100 tx");
}

}  // namespace
}  // namespace heddle
