// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/burst.h"

#include <algorithm>

namespace heddle::axi {

namespace {

std::uint64_t aligned(std::uint64_t address, std::uint64_t bytes) {
    return address / bytes * bytes;
}

}  // namespace

beat_place place_of(const address_beat& burst, unsigned beat, unsigned bus_bytes) {
    const std::uint64_t size = burst.beat_bytes();
    std::uint64_t address = burst.address;
    if (burst.burst == burst_type::wrap) {
        const std::uint64_t whole = size * burst.beats();
        const std::uint64_t low = aligned(address, whole);
        address = low + (aligned(address, size) - low + beat * size) % whole;
    } else if (burst.burst != burst_type::fixed && beat != 0) {
        address = aligned(address, size) + beat * size;
    }
    return {address, static_cast<unsigned>(address % bus_bytes),
            static_cast<unsigned>(size - address % size)};
}

std::uint64_t lanes_of(const beat_place& place) noexcept {
    const std::uint64_t ones =
        place.bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << place.bytes) - 1;
    return ones << place.lane;
}

unsigned bytes_of(const address_beat& burst) noexcept {
    return static_cast<unsigned>(end_of(burst) - burst.address);
}

std::uint64_t begin_of(const address_beat& burst) noexcept {
    return burst.burst == burst_type::wrap
               ? aligned(burst.address, std::uint64_t{burst.beat_bytes()} * burst.beats())
               : burst.address;
}

std::uint64_t end_of(const address_beat& burst) noexcept {
    const std::uint64_t size = burst.beat_bytes();
    switch (burst.burst) {
        case burst_type::fixed:
            return aligned(burst.address, size) + size;
        case burst_type::wrap:
            return begin_of(burst) + size * burst.beats();
        default:
            return aligned(burst.address, size) + size * burst.beats();
    }
}

bool crosses_boundary(const address_beat& burst) noexcept {
    return burst.burst == burst_type::incr &&
           burst.address / boundary != (end_of(burst) - 1) / boundary;
}

bool overlap(const address_beat& a, const address_beat& b) noexcept {
    return begin_of(a) < end_of(b) && begin_of(b) < end_of(a);
}

piece first_piece(std::uint64_t address, std::uint64_t bytes, unsigned bus_bytes) {
    const std::uint64_t here =
        std::min({bytes, boundary - address % boundary,
                  std::uint64_t{maximum_beats} * bus_bytes - address % bus_bytes});
    const std::uint64_t last = address + here - 1;
    piece result;
    result.bytes = static_cast<std::uint32_t>(here);
    result.burst.address = address;
    unsigned size = 0;
    while ((1U << size) < bus_bytes && address >> size != last >> size) ++size;
    result.burst.size = static_cast<std::uint8_t>(size);
    result.burst.length = static_cast<std::uint8_t>((last >> size) - (address >> size));
    return result;
}

}  // namespace heddle::axi
