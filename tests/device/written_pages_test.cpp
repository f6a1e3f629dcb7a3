// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/written_pages.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::uint32_t page = written_pages::page_bytes;

TEST(written_pages, are_taken_once) {
    written_pages pages;
    pages.mark(std::uint64_t{5 * page + 7});
    EXPECT_FALSE(pages.take(4 * page));
    EXPECT_TRUE(pages.take(5 * page + 100));
    EXPECT_FALSE(pages.take(5 * page));
}

TEST(written_pages, are_those_that_a_range_touches) {
    written_pages pages;
    pages.mark(2 * page - 1, 2);  // the last byte of one, the first of the next
    pages.mark(4 * page, page);
    pages.mark(9 * page + 8, 2 * page - 7);  // to the first byte of page 11
    for (std::uint32_t n = 0; n < 14; ++n) {
        const bool touched = n == 1 || n == 2 || n == 4 || (n >= 9 && n <= 11);
        EXPECT_EQ(pages.take(n * page), touched) << n;
    }
}

TEST(written_pages, the_last_one_ends_the_address_space) {
    written_pages pages;
    pages.mark(0xffffff00, 0x100);
    EXPECT_TRUE(pages.take(0xfffff000));
    EXPECT_FALSE(pages.take(0));
}

}  // namespace
}  // namespace heddle
