// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle {
namespace {

constexpr std::uint32_t granule = launch_pool::granule_bytes;

TEST(launch_pool, a_buffer_is_open_then_sealed_then_gone) {
    launch_pool pool(4096, 2);
    const std::uint32_t buffer = pool.allocate(sm_id(1), 65);
    ASSERT_EQ(buffer, launch_pool::first_address + 2048);  // the start of the second slice
    EXPECT_EQ(pool.bytes_at(buffer), 128U);
    EXPECT_TRUE(pool.is_open(buffer));
    EXPECT_TRUE(pool.may_access(buffer + 124, true));
    EXPECT_FALSE(pool.may_access(buffer + 128, false));
    EXPECT_FALSE(pool.may_access(buffer - 4, false));

    EXPECT_TRUE(pool.seal(buffer));
    EXPECT_FALSE(pool.seal(buffer));
    EXPECT_FALSE(pool.is_open(buffer));
    EXPECT_FALSE(pool.may_access(buffer + 124, true));
    EXPECT_TRUE(pool.may_access(buffer + 124, false));

    EXPECT_TRUE(pool.release(buffer));
    EXPECT_FALSE(pool.release(buffer));
    EXPECT_FALSE(pool.may_access(buffer, false));
    EXPECT_EQ(pool.used_bytes(), 0U);
    EXPECT_EQ(pool.allocate(sm_id(1), 100), buffer);
    EXPECT_TRUE(pool.may_access(buffer, true));
}

TEST(launch_pool, has_no_buffer_inside_another_or_elsewhere) {
    launch_pool pool(4096, 1);
    const std::uint32_t buffer = pool.allocate(sm_id(0), 200);
    for (const std::uint32_t at :
         {buffer + 4, buffer + granule, launch_pool::first_address + 4096, 0U, 0xc000'0000U}) {
        EXPECT_FALSE(pool.is_open(at));
        EXPECT_FALSE(pool.seal(at));
        EXPECT_FALSE(pool.release(at));
        EXPECT_EQ(pool.bytes_at(at), 0U);
    }
    EXPECT_FALSE(pool.may_access(launch_pool::first_address + 4096, false));
}

TEST(launch_pool, a_full_slice_takes_nothing_from_another) {
    launch_pool pool(2 * 4 * granule, 2);
    for (int i = 0; i < 4; ++i) EXPECT_NE(pool.allocate(sm_id(0), 1), 0U);
    EXPECT_EQ(pool.allocate(sm_id(0), 1), 0U);
    EXPECT_NE(pool.allocate(sm_id(1), 4 * granule), 0U);
    EXPECT_EQ(pool.allocate(sm_id(1), 1), 0U);
}

TEST(launch_pool, begins_anew_when_all_buffers_go_back) {
    launch_pool pool(8 * granule, 2);
    const std::uint32_t first = pool.allocate(sm_id(1), 1);
    const std::uint32_t second = pool.allocate(sm_id(1), 3 * granule);
    EXPECT_TRUE(pool.seal(first));
    pool.release_all();
    EXPECT_EQ(pool.used_bytes(), 0U);
    for (const std::uint32_t gone : {first, second}) {
        EXPECT_EQ(pool.bytes_at(gone), 0U);
        EXPECT_FALSE(pool.release(gone));
    }
    EXPECT_FALSE(pool.may_access(first, false));
    EXPECT_EQ(pool.allocate(sm_id(1), 4 * granule), first);
    EXPECT_TRUE(pool.may_access(first, true));
}

TEST(launch_pool, refuses_what_no_record_needs) {
    launch_pool pool(1 << 20, 1);
    EXPECT_EQ(pool.allocate(sm_id(0), 0), 0U);
    EXPECT_EQ(pool.allocate(sm_id(0), launch_pool::most_bytes + 1), 0U);
    EXPECT_NE(pool.allocate(sm_id(0), launch_pool::most_bytes), 0U);
    launch_pool none(0, 3);
    EXPECT_EQ(none.allocate(sm_id(2), 1), 0U);
    EXPECT_FALSE(none.may_access(launch_pool::first_address, false));
}

TEST(launch_pool, cuts_a_larger_buffer_when_the_slice_is_used_up) {
    launch_pool pool(8 * granule, 1);
    const std::uint32_t large = pool.allocate(sm_id(0), 8 * granule);
    EXPECT_TRUE(pool.release(large));
    for (std::uint32_t i = 0; i < 8; ++i) EXPECT_NE(pool.allocate(sm_id(0), 1), 0U) << i;
    EXPECT_EQ(pool.allocate(sm_id(0), 1), 0U);
}

/// Buffers never overlap, and the pool knows exactly the bytes that are in one.
TEST(launch_pool, agrees_with_a_list_of_buffers_over_random_calls) {
    constexpr std::uint32_t bytes = 64 * granule;
    launch_pool pool(bytes, 2);
    std::map<std::uint32_t, std::pair<std::uint32_t, bool>> buffers;  // size, sealed
    std::mt19937 random(7);
    std::uint64_t refused = 0;
    for (int step = 0; step < 20'000; ++step) {
        if (random() % 5 < 3) {
            const std::uint32_t size = 1 + random() % (10 * granule);
            const std::uint32_t at = pool.allocate(sm_id(random() % 2), size);
            if (at == 0) {
                ++refused;
            } else {
                buffers[at] = {(size + granule - 1) / granule * granule, false};
            }
        } else if (!buffers.empty()) {
            auto chosen = std::next(buffers.begin(), random() % buffers.size());
            if (random() % 2 == 0) {
                EXPECT_EQ(pool.seal(chosen->first), !chosen->second.second);
                chosen->second.second = true;
            } else {
                EXPECT_TRUE(pool.release(chosen->first));
                buffers.erase(chosen);
            }
        }
        if (step % 50 != 0) continue;
        std::uint64_t used = 0;
        for (std::uint32_t at = launch_pool::first_address;
             at != launch_pool::first_address + bytes; at += granule) {
            auto after = buffers.upper_bound(at);
            const bool in = after != buffers.begin() &&
                            at < std::prev(after)->first + std::prev(after)->second.first;
            ASSERT_EQ(pool.may_access(at, false), in);
            ASSERT_EQ(pool.may_access(at, true), in && !std::prev(after)->second.second);
            used += in ? granule : 0;
        }
        ASSERT_EQ(pool.used_bytes(), used);
        for (auto b = buffers.begin(); b != buffers.end() && std::next(b) != buffers.end(); ++b) {
            ASSERT_LE(b->first + b->second.first, std::next(b)->first);
        }
    }
    EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace heddle
