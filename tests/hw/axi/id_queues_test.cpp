// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/id_queues.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "models/base/random.h"

namespace heddle::axi {
namespace {

TEST(id_queues, an_id_has_its_own_order) {
    id_queues<int> queues(4, 3);
    queues.push(2, 10);
    queues.push(1, 20);
    queues.push(2, 30);
    EXPECT_TRUE(queues.full());
    EXPECT_EQ(queues.pop(2), 10);
    EXPECT_EQ(queues.pop(2), 30);
    EXPECT_FALSE(queues.has(2));
    EXPECT_TRUE(queues.has(1));
    EXPECT_FALSE(queues.has(4)) << "there is no such ID";
    EXPECT_EQ(queues.size(), 1U);
}

TEST(id_queues, are_as_many_deques) {
    random_stream random(1, "queues");
    id_queues<unsigned> queues(8, 20);
    std::map<std::uint32_t, std::deque<unsigned>> expected;
    unsigned size = 0;
    for (unsigned step = 0; step < 10'000; ++step) {
        const auto id = static_cast<std::uint32_t>(random.below(8));
        ASSERT_EQ(queues.full(), size == 20);
        ASSERT_EQ(queues.has(id), !expected[id].empty());
        if (random.chance(0.5) && !queues.full()) {
            EXPECT_EQ(queues.push(id, step), step);
            expected[id].push_back(step);
            ++size;
        } else if (queues.has(id)) {
            ASSERT_EQ(queues.front(id), expected[id].front());
            ASSERT_EQ(queues.pop(id), expected[id].front());
            expected[id].pop_front();
            --size;
        }
        std::deque<unsigned> seen;
        queues.for_each(id, [&](unsigned each) { seen.push_back(each); });
        ASSERT_EQ(seen, expected[id]);
    }
}

}  // namespace
}  // namespace heddle::axi
