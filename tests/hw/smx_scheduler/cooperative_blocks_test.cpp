// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks of cooperative launches: how many start, and which are forked.
#include "tests/hw/smx_scheduler/returning_bench.h"

namespace heddle {
namespace {

using protocol::block_outcome;
using protocol::cooperation_answer;
using protocol::cooperation_request;
using returning_bench::bench;
using testing::ElementsAre;

TEST(cooperative_blocks, one_place_is_enough_to_begin) {
    bench b;
    (void)b.ready(1, 0, 4, 256, true);
    (void)b.ready(2, 1, 3, 256, true);
    EXPECT_EQ(b.call(3, cooperation_request::offer_kill)->answer, cooperation_answer::die);
    EXPECT_EQ(b.call(2, cooperation_request::offer_kill)->answer, cooperation_answer::go_on)
        << "one is about to end";
    b.done(3, block_outcome::killed);
    b.run(5);
    EXPECT_THAT(b.sent(4), ElementsAre(std::pair(2U, 0U)));
    EXPECT_EQ(b.call(2, cooperation_request::offer_kill)->answer, cooperation_answer::go_on)
        << "the others hold nobody up";
}

TEST(cooperative_blocks, do_not_fork_while_others_are_away) {
    bench b(true);
    (void)b.ready(1, 0, 1, 256);
    (void)b.ready(2, 1, 4, 256, true);
    ASSERT_EQ(b.blocks.size(), 4U);
    (void)b.ready(3, 2, 1, 256, false, 1);  // takes the place of the oldest launch
    b.done(0, block_outcome::preempted);
    b.run(5);
    EXPECT_THAT(b.sent(4), ElementsAre(std::pair(3U, 0U)));
    b.done(2);  // a block of the cooperative launch returns, and its place is free
    EXPECT_EQ(b.call(1, cooperation_request::request_fork)->forked, 0U);
    b.done(4);
    b.run(5);
    EXPECT_THAT(b.sent(5), ElementsAre(std::pair(1U, 0U)));
    EXPECT_EQ(b.call(1, cooperation_request::request_fork)->forked, 1U);
}

TEST(cooperative_blocks, that_fit_are_decided_once_although_the_launch_is_interrupted) {
    bench b(true);
    b.starts = false;
    (void)b.ready(1, 0, 2, 32);
    (void)b.ready(2, 1, 20, 128, true);
    (void)b.ready(3, 2, 1, 32, false, 1);
    ASSERT_THAT(b.sent(), ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U)));
    b.starts = true;
    b.start(0);
    b.start(1);
    b.run(20);
    EXPECT_THAT(b.sent(2), ElementsAre(std::pair(3U, 0U), std::pair(2U, 0U), std::pair(2U, 1U),
                                       std::pair(2U, 2U), std::pair(2U, 3U), std::pair(2U, 4U)))
        << "there is room for six, and the other launch has taken one place";
    for (std::size_t block = 0; block < 3; ++block) b.done(block);
    b.run(20);
    EXPECT_THAT(b.sent(8), ElementsAre(std::pair(2U, 5U))) << "it has begun with six";
}

}  // namespace
}  // namespace heddle
