// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/save_areas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace heddle {
namespace {

constexpr std::uint32_t all = save_areas::end_address - save_areas::first_address;

TEST(save_areas, do_not_overlap_and_are_used_again) {
    save_areas areas(1);
    const sm_id sm(0);
    const std::uint32_t first = areas.allocate(sm, 1, 1);
    const std::uint32_t second = areas.allocate(sm, 1025, 1);
    const std::uint32_t third = areas.allocate(sm, 1024, 1);
    EXPECT_EQ(first, save_areas::first_address);
    EXPECT_EQ(second, first + 1024);
    EXPECT_EQ(third, second + 2048);
    areas.release(first, 1, 2);
    EXPECT_EQ(areas.allocate(sm, 2048, 3), third + 1024) << "another size";
    EXPECT_EQ(areas.allocate(sm, 1000, 3), first);
    EXPECT_EQ(areas.allocate(sm, 1000, 3), third + 1024 + 2048) << "it was used again already";
}

TEST(save_areas, of_an_smx_end_with_its_slice) {
    save_areas areas(2);
    EXPECT_EQ(areas.allocate(sm_id(1), all / 2, 1), save_areas::first_address + all / 2);
    EXPECT_EQ(areas.allocate(sm_id(1), 1, 1), 0u);
    EXPECT_NE(areas.allocate(sm_id(0), all / 2, 1), 0u);
    EXPECT_EQ(areas.allocate(sm_id(0), 1, 1), 0u);
}

/// Others give areas back at the edge at which their SMX asks for one, in every order.
TEST(save_areas, do_not_depend_on_who_runs_first_at_an_edge) {
    std::array<int, 3> turns{0, 1, 2};
    do {
        save_areas areas(2);
        const std::uint32_t first = areas.allocate(sm_id(0), 1024, 1);
        const std::uint32_t second = areas.allocate(sm_id(0), 1024, 1);
        for (const int turn : turns) {
            if (turn == 0) areas.release(first, 1024, 5);
            if (turn == 1) areas.release(second, 1024, 5);
            if (turn == 2) {
                EXPECT_EQ(areas.allocate(sm_id(0), 1024, 5), second + 1024);
            }
        }
        EXPECT_EQ(areas.allocate(sm_id(0), 1024, 6), second);
        EXPECT_EQ(areas.allocate(sm_id(0), 1024, 6), first);
    } while (std::next_permutation(turns.begin(), turns.end()));
}

}  // namespace
}  // namespace heddle
