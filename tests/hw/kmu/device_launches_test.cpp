// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/device_launches.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>

namespace heddle {
namespace {

TEST(device_launches, those_without_a_stream_come_in_their_order) {
    device_launches<int> pool;
    EXPECT_FALSE(pool.ready());
    pool.add(1);
    pool.add(2);
    EXPECT_EQ(pool.size(), 2U);
    EXPECT_EQ(pool.take(), 1);
    EXPECT_EQ(pool.take(), 2);
    EXPECT_FALSE(pool.ready());
    EXPECT_EQ(pool.size(), 0U);
}

TEST(device_launches, those_of_a_stream_wait_for_each_other) {
    device_launches<int> pool;
    pool.add(7, 1);
    pool.add(7, 2);
    pool.add(8, 3);
    EXPECT_EQ(pool.take(), 1);
    EXPECT_EQ(pool.take(), 3);
    EXPECT_FALSE(pool.ready());  // 2 waits for the end of 1
    EXPECT_EQ(pool.size(), 1U);
    pool.ended(8);
    EXPECT_FALSE(pool.ready());
    pool.ended(7);
    EXPECT_EQ(pool.take(), 2);
    pool.add(7, 4);
    EXPECT_FALSE(pool.ready());
    pool.ended(7);
    EXPECT_EQ(pool.take(), 4);
    pool.ended(7);
    pool.add(7, 5);  // a stream that is empty again
    EXPECT_EQ(pool.take(), 5);
}

/// Beside a list that is searched from its beginning.
TEST(device_launches, do_what_a_list_does) {
    std::mt19937 random(3);
    device_launches<int> pool;
    std::map<int, std::deque<int>> naive;  // by stream; the first one may run or runs
    std::set<int> running;                 // streams
    std::deque<int> expected;              // ready, in order
    std::map<int, int> stream_of;
    for (int step = 0; step < 10'000; ++step) {
        const int stream = static_cast<int>(random() % 5);
        switch (random() % 3) {
            case 0:
                stream_of[step] = stream;
                pool.add(static_cast<std::uint64_t>(stream), step);
                naive[stream].push_back(step);
                if (naive[stream].size() == 1) expected.push_back(step);
                break;
            case 1:
                ASSERT_EQ(pool.ready(), !expected.empty());
                if (expected.empty()) break;
                ASSERT_EQ(pool.take(), expected.front());
                running.insert(stream_of[expected.front()]);
                expected.pop_front();
                break;
            default:
                if (running.erase(stream) == 0) break;
                pool.ended(static_cast<std::uint64_t>(stream));
                naive[stream].pop_front();
                if (!naive[stream].empty()) expected.push_back(naive[stream].front());
        }
        std::size_t waiting = 0;
        for (const auto& [s, items] : naive) waiting += items.size() - running.count(s);
        ASSERT_EQ(pool.size(), waiting);
    }
}

}  // namespace
}  // namespace heddle
