// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/edge_queue.h"

#include <gtest/gtest.h>
#include <sysc/utils/sc_pq.h>

#include <cstdint>
#include <vector>

#include "models/base/random.h"

namespace heddle {
namespace {

struct item {
    std::uint64_t time, number;
};

/// As the kernel compares its timed notifications.
int earlier(const void* a, const void* b) {
    const std::uint64_t first = static_cast<const item*>(a)->time;
    const std::uint64_t second = static_cast<const item*>(b)->time;
    return first < second ? 1 : (first > second ? -1 : 0);
}

TEST(edge_queue, gives_edges_in_the_order_of_the_kernels_queue) {
    random_stream random(1, "queue");
    for (unsigned round = 0; round < 200; ++round) {
        edge_queue queue;
        std::vector<item> items(100);
        sc_core::sc_ppq<item*> kernel(128, earlier);
        const std::uint64_t times = 1 + random.below(20);
        for (std::size_t next = 0; next < items.size() || !queue.empty();) {
            if (next < items.size() && (queue.empty() || random.chance(0.55))) {
                items[next] = {random.below(times), next};
                queue.insert({items[next].time, nullptr, next});
                kernel.insert(&items[next++]);
                continue;
            }
            const item* const expected = kernel.extract_top();
            ASSERT_EQ(queue.top().time, expected->time);
            ASSERT_EQ(queue.top().order, expected->number);
            queue.pop();
        }
        EXPECT_EQ(kernel.size(), 0);
    }
}

}  // namespace
}  // namespace heddle
