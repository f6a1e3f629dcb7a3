// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/work_queues.h"

#include <gmock/gmock.h>

#include <deque>
#include <vector>

#include "models/base/random.h"

namespace heddle {
namespace {

TEST(work_queues, stops_a_queue_until_it_is_resumed) {
    work_queues<int> queues(64, 4);
    EXPECT_TRUE(queues.idle());
    EXPECT_EQ(queues.ready(), 0U);
    queues.push(0, 1);
    queues.push(0, 2);
    queues.push(63, 3);
    EXPECT_EQ(queues.head(0), 1);
    EXPECT_EQ(queues.ready(), 0x8000'0000'0000'0001U);
    EXPECT_EQ(queues.dispatch(0), 1);
    EXPECT_TRUE(queues.stopped(0));
    EXPECT_EQ(queues.ready(), 0x8000'0000'0000'0000U) << "queue 0 has an item, but its kernel runs";
    EXPECT_EQ(queues.dispatch(63), 3);
    EXPECT_EQ(queues.ready(), 0U);
    EXPECT_FALSE(queues.idle());
    queues.resume(0);
    EXPECT_EQ(queues.ready(), 1U);
    EXPECT_EQ(queues.dispatch(0), 2);
    queues.resume(0);
    EXPECT_FALSE(queues.idle()) << "queue 63's kernel runs";
    queues.resume(63);
    EXPECT_TRUE(queues.idle());
}

TEST(work_queues, random_traffic_like_a_list_of_deques) {
    random_stream random(1, "work_queues");
    constexpr unsigned count = 7;
    work_queues<std::uint64_t> queues(count, 3);
    std::vector<std::deque<std::uint64_t>> model(count);
    std::vector<bool> stopped(count);
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
        std::uint64_t ready = 0;
        for (unsigned q = 0; q < count; ++q) {
            if (!model[q].empty() && !stopped[q]) ready |= std::uint64_t{1} << q;
        }
        ASSERT_EQ(queues.ready(), ready);
        if ((ready >> queue & 1) != 0 && random.chance(0.5)) {
            ASSERT_EQ(queues.dispatch(queue), model[queue].front());
            model[queue].pop_front();
            stopped[queue] = true;
        }
    }
}

}  // namespace
}  // namespace heddle
