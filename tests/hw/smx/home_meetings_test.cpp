// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// When the threads of a home warp execute an instruction together.
#include "hw/smx/issue/home_meetings.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct meeting_rig {
    home_meetings meetings{4};
    std::array<isa::lane_mask, 4> live{0b1111, 0b1111, 0b1111, 0};

    /// Home warps that may execute.
    std::vector<unsigned> complete() {
        std::vector<unsigned> found;
        meetings.complete([&](unsigned warp) { return live[warp]; },
                          [&](unsigned warp) { found.push_back(warp); });
        return found;
    }
    void come(unsigned warp, isa::lane_mask lanes, std::uint32_t pc, std::size_t flight,
              bool exchanges = true) {
        meetings.come(warp, lanes, pc, thread_flight_index(flight), exchanges);
    }
};

TEST(home_meetings, all_threads_of_the_home_warp_come_first) {
    meeting_rig r;
    r.come(1, 0b0011, 8, 0);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.come(1, 0b0100, 8, 1);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.come(2, 0b1000, 8, 2);
    EXPECT_THAT(r.complete(), IsEmpty()) << "a thread of another warp";
    r.come(1, 0b1000, 8, 3);
    EXPECT_THAT(r.complete(), ElementsAre(1));
    const home_meetings::meeting met = r.meetings.take(1);
    EXPECT_EQ(met.pc, 8U);
    EXPECT_EQ(met.lanes, 0b1111U);
    EXPECT_EQ(r.meetings.called_lanes(1), 0b1111U);
    EXPECT_EQ(r.meetings.called(1).size(), 3U);
    EXPECT_THAT(r.complete(), IsEmpty()) << "once";
}

TEST(home_meetings, threads_that_end_are_not_waited_for) {
    meeting_rig r;
    r.come(0, 0b0111, 8, 0);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.live[0] = 0b0111;
    EXPECT_THAT(r.complete(), IsEmpty()) << "nobody has told";
    r.meetings.look(0);
    EXPECT_THAT(r.complete(), ElementsAre(0));
}

TEST(home_meetings, threads_at_the_barrier_of_their_block_are_not_waited_for) {
    meeting_rig r;
    r.come(0, 0b0001, 8, 0);
    r.meetings.rest(0, 0b0110);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.meetings.go_on(0, 0b0010);
    r.meetings.rest(0, 0b1000);
    EXPECT_THAT(r.complete(), IsEmpty()) << "one goes on";
    r.meetings.rest(0, 0b0010);
    EXPECT_THAT(r.complete(), ElementsAre(0));
    EXPECT_EQ(r.meetings.take(0).lanes, 0b0001U);
}

TEST(home_meetings, those_at_the_lowest_pc_go_first_and_the_others_wait_for_them) {
    meeting_rig r;
    r.come(2, 0b0001, 40, 0);
    r.come(2, 0b0010, 8, 1);
    r.come(2, 0b0100, 40, 2);
    r.come(2, 0b1000, 8, 3);
    ASSERT_THAT(r.complete(), ElementsAre(2));
    EXPECT_EQ(r.meetings.take(2).lanes, 0b1010U);
    EXPECT_THAT(r.meetings.called(2), ElementsAre(thread_flight_index(1), thread_flight_index(3)));
    EXPECT_EQ(r.meetings.resting(2), 0b0101U);
    r.meetings.look(2);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.come(2, 0b1000, 40, 4);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.come(2, 0b0010, 40, 5);
    ASSERT_THAT(r.complete(), ElementsAre(2));
    EXPECT_EQ(r.meetings.take(2).lanes, 0b1111U);
}

/// The others are in the next turn of a loop already, whose vote has a lower PC than the call.
TEST(home_meetings, a_call_goes_before_votes_which_wait_for_its_threads) {
    meeting_rig r;
    r.come(0, 0b0111, 8, 0);
    r.come(0, 0b1000, 40, 1, false);
    ASSERT_THAT(r.complete(), ElementsAre(0));
    EXPECT_EQ(r.meetings.take(0).pc, 40U);
    EXPECT_EQ(r.meetings.called_lanes(0), 0b1000U);
    r.meetings.look(0);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.come(0, 0b1000, 8, 2);
    ASSERT_THAT(r.complete(), ElementsAre(0));
    EXPECT_EQ(r.meetings.take(0).lanes, 0b1111U);
}

TEST(home_meetings, a_warp_that_leaves_takes_its_threads_along) {
    meeting_rig r;
    r.come(0, 0b0011, 8, 0);
    r.meetings.rest(0, 0b0100);
    r.meetings.forget(0);
    EXPECT_EQ(r.meetings.resting(0), 0U);
    r.come(0, 0b1000, 8, 1);
    EXPECT_THAT(r.complete(), IsEmpty());
    r.live[0] = 0b1000;
    r.meetings.look(0);
    EXPECT_THAT(r.complete(), ElementsAre(0));
}

}  // namespace
}  // namespace heddle
