// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/save_areas.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(save_areas, do_not_overlap_and_are_used_again) {
    save_areas areas;
    const std::uint32_t first = areas.allocate(1);
    const std::uint32_t second = areas.allocate(1025);
    const std::uint32_t third = areas.allocate(1024);
    EXPECT_EQ(first, save_areas::first_address);
    EXPECT_EQ(second, first + 1024);
    EXPECT_EQ(third, second + 2048);
    areas.release(second, 1025);
    EXPECT_EQ(areas.allocate(1024), third + 1024);
    EXPECT_EQ(areas.allocate(2048), second);
}

TEST(save_areas, end_where_the_parameter_buffers_begin) {
    save_areas areas;
    constexpr std::uint32_t all = save_areas::end_address - save_areas::first_address;
    const std::uint32_t half = areas.allocate(all / 2);
    EXPECT_NE(areas.allocate(all / 2), 0U);
    EXPECT_EQ(areas.allocate(1), 0U);
    areas.release(half, all / 2);
    EXPECT_EQ(areas.allocate(1), 0U);
    EXPECT_EQ(areas.allocate(all / 2), half);
}

}  // namespace
}  // namespace heddle
