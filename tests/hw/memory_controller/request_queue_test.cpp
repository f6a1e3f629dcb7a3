// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/request_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/base/random.h"

namespace heddle {
namespace {

column_request request(std::uint32_t owner, std::uint32_t bank, std::uint64_t row,
                       std::uint32_t column, bool write) {
    return {owner, bank, column, row, 0, write};
}

TEST(request_queue, keeps_the_order_of_arrival_overall_and_by_bank) {
    request_queue queue(4, 4);
    const auto a = queue.insert(request(1, 2, 1, 0, false));
    const auto b = queue.insert(request(2, 0, 1, 0, true));
    const auto c = queue.insert(request(3, 2, 2, 0, false));
    const auto d = queue.insert(request(4, 2, 3, 0, false));
    EXPECT_TRUE(queue.full());
    EXPECT_EQ(queue.oldest(), a);
    EXPECT_EQ(queue.oldest(2), a);
    EXPECT_EQ(queue[a].bank_after, c);
    EXPECT_EQ(queue.oldest(0), b);
    EXPECT_EQ(queue.used_banks(), 0b101U);
    queue.remove(c);
    EXPECT_EQ(queue[a].bank_after, d);
    EXPECT_EQ(queue[b].after, d);
    queue.remove(b);
    EXPECT_EQ(queue.used_banks(), 0b100U);
    EXPECT_EQ(queue.size(), 2U);
    EXPECT_EQ(queue.size(true), 0U);
    EXPECT_EQ(queue.eligible(false), 2U);
}

TEST(request_queue, an_access_waits_for_older_ones_of_the_other_kind_to_its_atom) {
    request_queue queue(8, 4);
    const auto read = queue.insert(request(1, 1, 5, 3, false));
    const auto write = queue.insert(request(2, 1, 5, 3, true));
    const auto later = queue.insert(request(3, 1, 5, 3, false));
    const auto other_column = queue.insert(request(4, 1, 5, 4, true));
    const auto other_row = queue.insert(request(5, 1, 6, 3, true));
    const auto other_bank = queue.insert(request(6, 2, 5, 3, true));
    EXPECT_EQ(queue[read].blocked, 0U);
    EXPECT_EQ(queue[write].blocked, 1U);
    EXPECT_EQ(queue[later].blocked, 1U) << "by the write; the older read does not matter";
    EXPECT_EQ(queue[other_column].blocked, 0U);
    EXPECT_EQ(queue[other_row].blocked, 0U);
    EXPECT_EQ(queue[other_bank].blocked, 0U);
    EXPECT_EQ(queue.eligible(true), 3U);
    EXPECT_EQ(queue.eligible(false), 1U);
    queue.remove(read);
    EXPECT_EQ(queue[write].blocked, 0U);
    EXPECT_EQ(queue[later].blocked, 1U);
    EXPECT_EQ(queue.eligible(true), 4U);
    queue.remove(write);
    EXPECT_EQ(queue[later].blocked, 0U);
    EXPECT_EQ(queue.eligible(false), 1U);
}

/// Against a plain list.
TEST(request_queue, random_inserts_and_removes_agree_with_a_list) {
    request_queue queue(12, 4);
    std::vector<request_queue::index> list;
    random_stream random(3, "request_queue");
    std::uint32_t number = 0;
    for (unsigned step = 0; step < 20'000; ++step) {
        if (!queue.full() && (list.empty() || random.chance(0.55))) {
            const auto draw = [&](std::uint64_t n) {
                return static_cast<std::uint32_t>(random.below(n));
            };
            list.push_back(
                queue.insert(request(number++, draw(4), draw(2), draw(3), random.chance(0.5))));
        } else {
            // what a controller may remove: something that is not blocked
            std::vector<std::size_t> ready;
            for (std::size_t i = 0; i < list.size(); ++i) {
                if (queue[list[i]].blocked == 0) ready.push_back(i);
            }
            ASSERT_FALSE(ready.empty()) << "a ring of blocked accesses";
            const std::size_t at = ready[random.below(ready.size())];
            queue.remove(list[at]);
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        }
        ASSERT_EQ(queue.size(), list.size());
        std::uint32_t eligible = 0;
        request_queue::index walk = queue.oldest();
        for (const request_queue::index each : list) {
            ASSERT_EQ(walk, each);
            walk = queue[each].after;
            const auto older = static_cast<unsigned>(
                std::count_if(list.begin(), std::find(list.begin(), list.end(), each),
                              [&](request_queue::index other) {
                                  const auto &a = queue[other], &b = queue[each];
                                  return a.bank == b.bank && a.row == b.row &&
                                         a.column == b.column && a.write != b.write;
                              }));
            ASSERT_EQ(queue[each].blocked, older);
            eligible += older == 0 ? 1 : 0;
        }
        ASSERT_EQ(walk, request_queue::none);
        ASSERT_EQ(queue.eligible(false) + queue.eligible(true), eligible);
    }
}

}  // namespace
}  // namespace heddle
