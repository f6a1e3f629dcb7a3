// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/partition.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/base/random.h"

namespace heddle {
namespace {

TEST(l2_partition_test, every_address_has_one_place) {
    for (const bool hash : {false, true}) {
        for (const std::uint32_t banks : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 12U, 128U}) {
            const l2_partition p{banks, 256, hash};
            std::vector<std::uint64_t> next(banks);
            for (std::uint64_t address = 0; address < 64 * banks * 256; address += 128) {
                const std::uint32_t bank = p.bank(address);
                ASSERT_LT(bank, banks);
                EXPECT_EQ(p.offset(address), next[bank]) << "dense";
                EXPECT_EQ(p.address(bank, p.offset(address)), address);
                next[bank] += 128;
            }
        }
    }
}

/// Bank and offset lead back to the address, everywhere in the address space and with any number of
/// banks: no two addresses share a place.
TEST(l2_partition_test, random_addresses_come_back) {
    random_stream random(3, "partition");
    for (int i = 0; i < 200'000; ++i) {
        const auto banks = static_cast<std::uint32_t>(1 + random.below(128));
        const auto interleave = std::uint32_t{32} << random.below(8);
        const l2_partition p{banks, interleave, true};
        const std::uint64_t address = random.below(std::uint64_t{1} << 32);
        ASSERT_LT(p.bank(address), banks);
        ASSERT_EQ(p.address(p.bank(address), p.offset(address)), address)
            << banks << " banks of " << interleave;
    }
}

/// Strides of a power of the number of banks: all on one bank, or evenly on all.
TEST(l2_partition_test, hashed_strides_do_not_camp) {
    for (const std::uint32_t banks : {2U, 4U, 5U, 6U, 8U, 12U}) {
        for (std::uint64_t stride = banks; stride <= std::uint64_t{banks} * banks * banks;
             stride *= banks) {
            std::vector<unsigned> plain(banks), hashed(banks);
            for (std::uint64_t i = 0; i < 4 * banks; ++i) {
                ++plain[l2_partition{banks, 256}.bank(i * stride * 256)];
                ++hashed[l2_partition{banks, 256, true}.bank(i * stride * 256)];
            }
            EXPECT_EQ(plain[0], 4 * banks);
            EXPECT_EQ(hashed, std::vector<unsigned>(banks, 4)) << banks << " banks";
        }
    }
}

}  // namespace
}  // namespace heddle
