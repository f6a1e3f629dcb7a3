// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>

#include "models/isa/instruction_table.h"

namespace heddle::isa::test {

/// Seed of the random tests: HEDDLE_TEST_SEED, or a fixed one.
inline std::uint64_t test_seed() {
    const char* text = std::getenv("HEDDLE_TEST_SEED");
    return text == nullptr ? 20130624 : std::strtoull(text, nullptr, 0);
}

using generator = std::mt19937_64;

inline std::uint32_t below(generator& random, std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
}

/// Operand values that matter: corner cases of integers and floats, neighbours, plain random words.
inline std::uint32_t interesting_value(generator& random) {
    static constexpr std::uint32_t corners[] = {
        0x00000000, 0x80000000, 0x00000001, 0xffffffff, 0x7fffffff, 0x80000001, 0x7f800000,
        0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffbfffff, 0x7fffabcd, 0x007fffff,
        0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000,
        0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x4b000000, 0x4b000001,
        0x4affffff, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000,
        0x3effffff, 0x3f7fffff, 0xbf7fffff, 0x33800000, 0xb3800000, 0x34000000, 0x00400000};
    switch (below(random, 8)) {
        case 0:
            return corners[below(random, std::size(corners))];
        case 1:
            return static_cast<std::uint32_t>(random());
        case 2:
            return below(random, 64) - 32;
        // Floats of close exponents, full or short significands: cancellation, ties, exact results.
        case 3:
        case 4:
            return below(random, 2) << 31 | (120 + below(random, 16)) << 23 |
                   below(random, 1u << 23);
        case 5:
            return below(random, 2) << 31 | (100 + below(random, 60)) << 23 |
                   below(random, 16) << 19;
        // Around the subnormals, also of products.
        case 6:
            return below(random, 2) << 31 | below(random, 4) << 23 | below(random, 1u << 23);
        default:
            return below(random, 2) << 31 | (50 + below(random, 30)) << 23 |
                   below(random, 1u << 23);
    }
}

/// Random operand fields in a row's encoding; legal rounding modes (dynamic included) and widths.
inline std::uint32_t random_encoding(const instruction_row& row, generator& random) {
    std::uint32_t word = (static_cast<std::uint32_t>(random()) & ~row.mask) | row.match;
    if (is_rounded(row.format)) {
        static constexpr std::uint32_t modes[] = {0, 1, 2, 3, 4, 7};
        word = (word & ~0x7000u) | modes[below(random, 6)] << 12;
    }
    if (row.format == instruction_format::shuffle) {
        word = (word & ~(7u << 25)) | below(random, largest_shuffle_width_log2 + 1) << 25;
    }
    return word;
}

}  // namespace heddle::isa::test
