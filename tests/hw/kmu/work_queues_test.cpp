// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/work_queues.h"

#include <gmock/gmock.h>

#include <deque>
#include <vector>

#include "models/base/random.h"

namespace heddle {
namespace {

TEST(work_queues, takes_turns_and_stops_a_queue_until_it_is_resumed) {
    work_queues<int> queues(3, 4);
    EXPECT_TRUE(queues.idle());
    EXPECT_FALSE(queues.ready());
    queues.push(0, 1);
    queues.push(0, 2);
    queues.push(2, 3);
    EXPECT_EQ(queues.head(0), 1);
    ASSERT_EQ(queues.select(), 0U);
    EXPECT_EQ(queues.dispatch(0), 1);
    EXPECT_TRUE(queues.stopped(0));
    ASSERT_EQ(queues.select(), 2U);
    EXPECT_EQ(queues.dispatch(2), 3);
    EXPECT_FALSE(queues.ready());  // queue 0 has an item, but its kernel runs
    EXPECT_FALSE(queues.idle());
    queues.resume(0);
    ASSERT_TRUE(queues.ready());
    EXPECT_EQ(queues.dispatch(queues.select()), 2);
    queues.resume(0);
    EXPECT_FALSE(queues.idle());  // queue 2's kernel runs
    queues.resume(2);
    EXPECT_TRUE(queues.idle());
}

TEST(work_queues, serves_queue_63_and_wraps_to_queue_0) {
    work_queues<int> queues(64, 1);
    queues.push(63, 1);
    queues.push(0, 2);
    EXPECT_EQ(queues.select(), 0U);
    (void)queues.dispatch(0);
    EXPECT_EQ(queues.select(), 63U);
    (void)queues.dispatch(63);
    queues.resume(63);
    queues.resume(0);
    queues.push(63, 3);
    EXPECT_EQ(queues.select(), 63U);  // the only one, though it is not its turn
    queues.push(0, 4);
    EXPECT_EQ(queues.select(), 0U);
}

TEST(work_queues, random_traffic_like_a_list_of_deques) {
    random_stream random(1, "work_queues");
    constexpr unsigned count = 7;
    work_queues<std::uint64_t> queues(count, 3);
    std::vector<std::deque<std::uint64_t>> model(count);
    std::vector<bool> stopped(count);
    unsigned last = count - 1;
    for (std::uint64_t step = 0; step < 20000; ++step) {
        const auto queue = static_cast<unsigned>(random.below(count));
        ASSERT_EQ(queues.full(queue), model[queue].size() == 3);
        ASSERT_EQ(queues.size(queue), model[queue].size());
        if (random.chance(0.4) && !queues.full(queue)) {
            queues.push(queue, step);
            model[queue].push_back(step);
        }
        if (stopped[queue] && random.chance(0.4)) {
            queues.resume(queue);
            stopped[queue] = false;
        }
        unsigned expected = count;
        for (unsigned turn = 1; turn <= count && expected == count; ++turn) {
            const unsigned at = (last + turn) % count;
            expected = !model[at].empty() && !stopped[at] ? at : count;
        }
        ASSERT_EQ(queues.ready(), expected != count);
        if (expected != count && random.chance(0.5)) {
            ASSERT_EQ(queues.select(), expected);
            ASSERT_EQ(queues.dispatch(expected), model[expected].front());
            model[expected].pop_front();
            stopped[expected] = true;
            last = expected;
        }
    }
}

}  // namespace
}  // namespace heddle
