// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/port_table.h"

#include <algorithm>

namespace heddle::cosim {

void put_bits(std::uint32_t* words, std::size_t at, unsigned width, std::uint64_t value) noexcept {
    while (width != 0) {
        const auto shift = static_cast<unsigned>(at % 32);
        const unsigned here = std::min(width, 32 - shift);
        const auto mask = static_cast<std::uint32_t>(((std::uint64_t{1} << here) - 1) << shift);
        std::uint32_t& word = words[at / 32];
        word = (word & ~mask) | (static_cast<std::uint32_t>(value << shift) & mask);
        value >>= here;
        width -= here;
        at += here;
    }
}

std::uint64_t get_bits(const std::uint32_t* words, std::size_t at, unsigned width) noexcept {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        const auto shift = static_cast<unsigned>(at % 32);
        const unsigned here = std::min(width - done, 32 - shift);
        const std::uint64_t bits = (words[at / 32] >> shift) & ((std::uint64_t{1} << here) - 1);
        value |= bits << done;
        done += here;
        at += here;
    }
    return value;
}

std::size_t bits_of(const std::vector<port_shape>& ports, port_direction way) {
    std::size_t bits = 0;
    for (const port_shape& port : ports) bits += port.way == way ? port.bits() : 0;
    return bits;
}

}  // namespace heddle::cosim
