// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/address_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/memory_controller/memory_controller_configuration.h"
#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

/// Fung 2008, section 5.1.3: the masks of the worked example.
constexpr address_masks thesis{0b00000000'00000000'00011010'00000000,   // chip
                               0b00001111'11111111'00000000'00000000,   // row
                               0b00000000'00000000'00000101'00000000,   // bank
                               0b00000000'00000000'11100000'11111111};  // column

TEST(address_decoder, takes_the_thesis_example_apart_bit_by_bit) {
    const address_decoder decoder(thesis, 32);
    // 31-24        23-16               15-8                     7-0
    // XXXXR11R10R9R8  R7 ... R0   C10C9C8K2K1B1K0B0   C7 ... C0
    const char names[] = "XXXXRRRRRRRRRRRRCCCKKBKBCCCCCCCC";
    const unsigned bits[] = {0,  0, 0, 0, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
                             10, 9, 8, 2, 1,  1,  0, 0, 7, 6, 5, 4, 3, 2, 1, 0};
    for (unsigned i = 0; i < 32; ++i) {
        dram_address expected;
        const unsigned bit = bits[i];
        switch (names[i]) {
            case 'R':
                expected.row = std::uint64_t{1} << bit;
                break;
            case 'C':
                expected.column = 1U << bit;
                break;
            case 'K':
                expected.chip = 1U << bit;
                break;
            case 'B':
                expected.bank = 1U << bit;
                break;
            default:
                break;  // beyond the memory
        }
        EXPECT_TRUE(decoder.decode(std::uint64_t{1} << (31 - i)) == expected) << "bit " << 31 - i;
    }
    EXPECT_EQ(decoder.bytes(), std::uint64_t{1} << 28);
    EXPECT_EQ(decoder.chips(), 8U);
    EXPECT_EQ(decoder.banks(), 4U);
    EXPECT_EQ(decoder.row_bytes(), 2048U);
}

TEST(address_decoder, encode_is_the_inverse_of_decode) {
    random_stream random(1, "address_decoder");
    for (unsigned round = 0; round < 200; ++round) {
        address_masks masks;
        const unsigned bits = 20 + static_cast<unsigned>(random.below(20));
        for (unsigned bit = 0; bit < bits; ++bit) {
            std::uint64_t* const owners[] = {&masks.chip, &masks.row, &masks.bank, &masks.column};
            std::uint64_t* owner = owners[random.below(4)];
            if (bit < 5) owner = &masks.column;
            if (owner == &masks.bank && __builtin_popcountll(masks.bank) == 6) owner = &masks.row;
            *owner |= std::uint64_t{1} << bit;
        }
        if (masks.row == 0) continue;
        const address_decoder decoder(masks, 32);
        for (unsigned i = 0; i < 50; ++i) {
            const std::uint64_t address = random.below(decoder.bytes());
            const dram_address parts = decoder.decode(address);
            ASSERT_EQ(decoder.encode(parts), address);
            EXPECT_EQ(parts.row, gather_bits(address, masks.row));
            EXPECT_EQ(parts.bank, gather_bits(address, masks.bank));
            EXPECT_EQ(parts.column, gather_bits(address, masks.column));
            EXPECT_EQ(parts.chip, gather_bits(address, masks.chip));
            EXPECT_EQ(scatter_bits(parts.row, masks.row), address & masks.row);
        }
    }
}

TEST(address_decoder, names_bits_that_overlap_or_are_left_out) {
    EXPECT_EQ(mask_problem(thesis, 32), "");
    address_masks masks = thesis;
    masks.row |= 1U << 13;
    EXPECT_EQ(mask_problem(masks, 32), "bit 13 in both the row and the column mask");
    masks = thesis;
    masks.bank = 1U << 8;
    masks.column &= ~(3U << 13);
    EXPECT_EQ(mask_problem(masks, 32), "bits 10, 13 and 14 in no mask, below the highest bit, 27");
    masks = thesis;
    masks.chip |= masks.bank;
    EXPECT_THAT(mask_problem(masks, 32), HasSubstr("bits 8 and 10 in both the chip and the bank"));
    EXPECT_EQ(mask_problem(thesis, 512),
              "bit 8, inside a column access of 512 bytes, not in the column mask");
    EXPECT_THAT(mask_problem(thesis, 48), HasSubstr("48 bytes, which is no power of two"));
    masks = thesis;
    masks.row = 0;
    EXPECT_EQ(mask_problem(masks, 32), "the row mask is empty");
    masks = thesis;
    masks.row |= std::uint64_t{1} << 60;
    EXPECT_THAT(mask_problem(masks, 32), HasSubstr("bit 60 beyond the 48 address bits"));
}

TEST(address_decoder, refuses_wrong_masks_with_a_configuration_error) {
    address_masks masks = thesis;
    masks.column |= 1U << 16;
    try {
        const address_decoder decoder(masks, 32);
        FAIL() << "no error for bytes " << decoder.bytes();
    } catch (const configuration_error& error) {
        EXPECT_STREQ(error.what(),
                     "DRAM address masks, chip 0x1a00, row 0xfff0000, bank 0x500, column 0x1e0ff: "
                     "bit 16 in both the row and the column mask; legal: every address bit from 0 "
                     "to the highest one in exactly one mask, those of a column access in the "
                     "column mask");
    }
}

TEST(memory_controller_configuration, the_ranges_of_masks_begin_and_end_with_legal_values) {
    memory_controller_configuration c;
    const parameter_list parameters(c);
    const auto limits = [&](const char* key) {
        return std::get<integer_range>(parameters.find(key)->limits);
    };
    const auto legal = [](std::uint64_t row, std::uint64_t bank, std::uint64_t column) {
        return mask_problem({0, row, bank, column}, 8);
    };
    constexpr std::uint64_t all = (std::uint64_t{1} << 48) - 1;
    const auto row = limits("row_mask");
    EXPECT_EQ(legal(row.low, 0, row.low - 1), "");
    EXPECT_EQ(legal(row.high, 0, all - row.high), "");
    const auto bank = limits("bank_mask");
    EXPECT_EQ(legal(c.row_mask | c.bank_mask, bank.low, c.column_mask), "");
    EXPECT_EQ(legal(all - bank.high - 7, bank.high, 7), "");
    const auto column = limits("column_mask");
    EXPECT_EQ(legal(8, 0, column.low), "");
    EXPECT_EQ(legal(all - column.high, 0, column.high), "");
}

TEST(memory_controller_configuration, checks_masks_and_watermarks) {
    const auto error = [](const std::string& key, const std::string& value) -> std::string {
        memory_controller_configuration c;
        parameter_list parameters(c);
        try {
            parameters.assign_text(key, value, "--set", "--set");
            parameters.check_rules();
        } catch (const configuration_error& e) {
            return e.what();
        }
        return {};
    };
    EXPECT_EQ(error("queue", "64"), "");
    EXPECT_THAT(error("bank_mask", "24832"), HasSubstr("bit 15 in no mask"));
    EXPECT_THAT(error("row_mask", "1073709056"),
                HasSubstr("bit 15 in both the row and the bank mask"));
    EXPECT_THAT(error("write_low_watermark", "16"),
                HasSubstr("write_low_watermark is below write_high_watermark"));
    EXPECT_THAT(error("queue", "15"), HasSubstr("write_high_watermark at most queue"));
    EXPECT_THAT(error("timing.ccd", "1"), HasSubstr("ccd >= burst"));
    EXPECT_THAT(error("timing.rtw", "11"), HasSubstr("rtw + wl >= cl + burst"));
    EXPECT_THAT(error("timing.rc", "36"), HasSubstr("rc >= ras"));
    EXPECT_THAT(error("timing.refi", "100"), HasSubstr("refi is 0 or at least"));
}

}  // namespace
}  // namespace heddle
