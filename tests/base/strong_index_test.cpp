// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/strong_index.h"

#include <gtest/gtest.h>

#include <sstream>
#include <type_traits>

namespace heddle {
namespace {

static_assert(!std::is_convertible_v<warp_slot, lane_id>);
static_assert(!std::is_constructible_v<warp_slot, lane_id>);
static_assert(!std::is_assignable_v<warp_slot&, lane_id>);
static_assert(!std::is_convertible_v<int, warp_slot>);
static_assert(!std::is_convertible_v<warp_slot, std::uint32_t>);
static_assert(std::is_constructible_v<warp_slot, std::uint32_t>);
static_assert(sizeof(warp_slot) == sizeof(std::uint32_t));
static_assert(std::is_trivially_copyable_v<warp_slot>);

template <class A, class B, class = void>
struct comparable : std::false_type {};
template <class A, class B>
struct comparable<A, B, std::void_t<decltype(std::declval<A>() == std::declval<B>())>>
    : std::true_type {};
static_assert(comparable<bank_id, bank_id>::value);
static_assert(!comparable<bank_id, sm_id>::value);
static_assert(!comparable<bank_id, unsigned>::value);

template <class Vector, class Index, class = void>
struct subscriptable : std::false_type {};
template <class Vector, class Index>
struct subscriptable<Vector, Index,
                     std::void_t<decltype(std::declval<Vector&>()[std::declval<Index>()])>>
    : std::true_type {};
using blocks = strong_vector<block_slot, int>;
static_assert(subscriptable<blocks, block_slot>::value);
static_assert(!subscriptable<blocks, warp_slot>::value);
static_assert(!subscriptable<blocks, unsigned>::value);

TEST(strong_index, orders_counts_and_prints_like_its_value) {
    kde_index index(3);
    EXPECT_EQ(index.value(), 3U);
    EXPECT_EQ(++index, kde_index(4));
    EXPECT_NE(index, kde_index(3));
    EXPECT_LT(kde_index(3), index);
    EXPECT_LE(index, index);
    EXPECT_GT(index, kde_index(3));
    EXPECT_GE(index, index);
    EXPECT_EQ(hwq_id().value(), 0U);
    std::ostringstream text;
    text << index;
    EXPECT_EQ(text.str(), "4");
}

TEST(strong_vector, is_subscripted_and_walked_by_its_index) {
    strong_vector<block_slot, int> v(3, 7);
    for (const block_slot slot : v.indices()) v[slot] += static_cast<int>(slot.value());
    EXPECT_EQ(v[block_slot(2)], 9);
    EXPECT_EQ(v.emplace_back(42), block_slot(3));
    EXPECT_EQ(v.at(block_slot(3)), 42);
    EXPECT_THROW(static_cast<void>(v.at(block_slot(4))), std::out_of_range);
    EXPECT_EQ(v.size(), 4U);
    v.clear();
    EXPECT_TRUE(v.empty());
    for (const block_slot slot : v.indices()) FAIL() << slot;
}

TEST(strong_vector, holds_bits_too) {
    strong_vector<warp_slot, bool> awake(2);
    awake[warp_slot(1)] = true;
    EXPECT_FALSE(awake[warp_slot(0)]);
    EXPECT_TRUE(awake[warp_slot(1)]);
}

}  // namespace
}  // namespace heddle
