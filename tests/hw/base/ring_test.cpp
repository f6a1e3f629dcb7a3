// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace heddle {
namespace {

TEST(ring, is_a_queue_of_its_capacity) {
    std::mt19937 random(1);
    for (std::size_t capacity = 1; capacity <= 5; ++capacity) {
        ring<int> items(capacity);
        std::deque<int> expected;
        for (int next = 0; next < 2000; ++next) {
            if (random() % 2 == 0 && !items.full()) {
                items.push(next);
                expected.push_back(next);
            } else if (!items.empty()) {
                ASSERT_EQ(items.front(), expected.front());
                ASSERT_EQ(items.pop(), expected.front());
                expected.pop_front();
            }
            ASSERT_EQ(items.size(), expected.size());
            ASSERT_EQ(items.empty(), expected.empty());
            ASSERT_EQ(items.full(), expected.size() == capacity);
        }
    }
}

}  // namespace
}  // namespace heddle
