// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/port_table.h"

#include <algorithm>

namespace heddle::cosim {

namespace {

constexpr std::uint64_t lowest(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

void replace(std::uint32_t& word, std::uint64_t mask, std::uint64_t value) {
    word = (word & ~static_cast<std::uint32_t>(mask)) | static_cast<std::uint32_t>(value & mask);
}

}  // namespace

// A value of up to 64 bits lies in up to three words. Words beyond it may not be there.

void put_bits(std::uint32_t* words, std::size_t at, unsigned width, std::uint64_t value) noexcept {
    words += at / 32;
    const auto shift = static_cast<unsigned>(at % 32);
    const std::uint64_t mask = lowest(width);
    replace(words[0], mask << shift, value << shift);
    if (shift + width > 32) replace(words[1], mask << shift >> 32, value << shift >> 32);
    if (shift + width > 64) replace(words[2], mask >> (64 - shift), value >> (64 - shift));
}

std::uint64_t get_bits(const std::uint32_t* words, std::size_t at, unsigned width) noexcept {
    words += at / 32;
    const auto shift = static_cast<unsigned>(at % 32);
    std::uint64_t value = words[0];
    if (shift + width > 32) value |= std::uint64_t{words[1]} << 32;
    value >>= shift;
    if (shift + width > 64) value |= std::uint64_t{words[2]} << (64 - shift);
    return value & lowest(width);
}

std::size_t bits_of(const std::vector<port_shape>& ports, port_direction way) {
    std::size_t bits = 0;
    for (const port_shape& port : ports) bits += port.way == way ? port.bits() : 0;
    return bits;
}

}  // namespace heddle::cosim
