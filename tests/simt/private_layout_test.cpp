// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/private_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace heddle::simt {
namespace {

/// Every word of a region has a place of its own in the region; a row is contiguous.
TEST(private_layout, gives_every_word_of_a_region_its_place) {
    for (const std::uint32_t lanes : {8U, 16U, 32U, 64U}) {
        for (const std::uint32_t bytes : {4U, 12U, 256U, 1028U, 8192U}) {
            const private_layout layout{bytes, lanes};
            for (const std::uint32_t region : {0U, 1U, 7U, 100U}) {
                const std::uint32_t base = layout.region_address(region);
                std::set<std::uint32_t> places;
                for (std::uint32_t offset = 0; offset < bytes; offset += 4) {
                    const std::uint32_t row = layout.address(region, offset, 0);
                    ASSERT_EQ((row - base) % (4 * lanes), 0U);
                    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                        const std::uint32_t word = layout.address(region, offset, lane);
                        ASSERT_EQ(word, row + 4 * lane);
                        ASSERT_EQ(layout.address(region, offset + 3, lane), word + 3);
                        ASSERT_LT(word - base, layout.region_bytes());
                        places.insert(word);
                    }
                }
                ASSERT_EQ(places.size(), std::size_t{layout.rows()} * lanes);
            }
        }
    }
}

/// The same offset of many warps, as the tops of their stacks, lies in all banks alike, whatever
/// their number: the fullest bank has at most 1.6 times its part.
TEST(private_layout, spreads_one_offset_of_many_warps_over_the_banks) {
    for (const std::uint32_t lanes : {8U, 32U, 64U}) {
        const private_layout layout{8192, lanes};
        for (const std::uint32_t banks : {2U, 4U, 5U, 6U, 8U, 10U, 12U}) {
            constexpr std::uint32_t warps = 480;
            std::vector<std::uint32_t> in_bank(banks);
            for (std::uint32_t region = 0; region < warps; ++region) {
                ++in_bank[layout.address(region, 8000, 0) / 256 % banks];
            }
            EXPECT_LE(*std::max_element(in_bank.begin(), in_bank.end()), 1.6 * warps / banks)
                << lanes << " lanes, " << banks << " banks";
        }
    }
}

}  // namespace
}  // namespace heddle::simt
