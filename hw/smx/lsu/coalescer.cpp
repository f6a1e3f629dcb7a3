// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/coalescer.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "models/base/bits.h"

namespace heddle::coalescer {

namespace {

/// Calls f(first, mask) for each half of 32 lanes: a 32-bit variable shift is one vector
/// instruction. Loops over the lanes of a half are functions of their own, which the compiler
/// turns into vector code; within the lambdas it unrolls them into scalar code first.
template <class Function>
void for_each_half(lane_mask active, unsigned lanes, Function&& f) {
    for (unsigned half = 0; half < lanes; half += 32) {
        f(half, static_cast<std::uint32_t>(active >> half));
    }
}

/// Bit i becomes bits 4i ... 4i + 3.
std::uint64_t words_to_bytes(std::uint64_t words) noexcept {
    words = (words | words << 24) & 0x000000ff000000ffu;
    words = (words | words << 12) & 0x000f000f000f000fu;
    words = (words | words << 6) & 0x0303030303030303u;
    words = (words | words << 3) & 0x1111111111111111u;
    return words * 15;
}

/// One bit per word of the line that one of 32 lanes accesses.
std::uint32_t words_of(const std::uint32_t* addresses, std::uint32_t active,
                       std::uint32_t line_bytes) noexcept {
    std::uint32_t words = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint32_t word = (addresses[lane] & (line_bytes - 1)) / 4;
        words |= ((active >> lane) & 1u) << word;
    }
    return words;
}

/// One bit per lane whose address lies in the block of `size` bytes at `base`.
std::uint32_t lanes_at(const std::uint32_t* addresses, std::uint32_t base,
                       std::uint32_t size) noexcept {
    std::uint32_t found = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        found |= static_cast<std::uint32_t>((addresses[lane] & ~(size - 1)) == base) << lane;
    }
    return found;
}

void extend(extent& found, const std::uint32_t* addresses, std::uint32_t active) noexcept {
    extent half{~0u, 0, 0};
    for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint32_t on = 0u - ((active >> lane) & 1u);
        half.low = std::min(half.low, addresses[lane] | ~on);
        half.high = std::max(half.high, addresses[lane] & on);
        half.bits |= addresses[lane] & on;
    }
    found.low = std::min(found.low, half.low);
    found.high = std::max(found.high, half.high);
    found.bits |= half.bits;
}

byte_mask bytes_of(const std::uint32_t* addresses, lane_mask active, unsigned access_bytes,
                   std::uint32_t line_bytes, unsigned lanes) noexcept {
    byte_mask bytes;
    if (access_bytes == 4) {
        std::uint32_t words = 0;
        for_each_half(active, lanes, [&](unsigned first, std::uint32_t mask) {
            words |= words_of(addresses + first, mask, line_bytes);
        });
        bytes.word = {words_to_bytes(words & 0xffffu), words_to_bytes(words >> 16)};
        return bytes;
    }
    const std::uint64_t run = (std::uint64_t{1} << access_bytes) - 1;
    bits::for_each(active, [&](unsigned lane) {
        const std::uint32_t byte = addresses[lane] & (line_bytes - 1);
        bytes.word[byte / 64] |= run << (byte % 64);
    });
    return bytes;
}

/// Of 32 lanes. Bytes may alias anything: without the promise there is no vector code.
void offsets_from(const std::uint32_t* addresses, std::uint32_t base,
                  std::uint8_t* __restrict offsets) noexcept {
    for (unsigned lane = 0; lane < 32; ++lane) {
        offsets[lane] = static_cast<std::uint8_t>(addresses[lane] - base);
    }
}

/// Full warp of 32, each lane's place `stride` bytes behind the one before.
template <unsigned stride, class Places>
bool has_stride(const Places& places, lane_mask active, unsigned lanes) noexcept {
    if (lanes != 32 || active != 0xffffffffu) return false;
    using place = std::decay_t<decltype(places[0])>;
    place difference = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        difference |= static_cast<place>(places[lane] ^ (places[0] + stride * lane));
    }
    return difference == 0;
}

constexpr unsigned word = 4;

template <class T>
void gather_as(const lane_offsets& offsets, lane_mask active, const std::uint8_t* data,
               std::uint32_t* values) noexcept {
    bits::for_each(active, [&](unsigned lane) {
        T value;
        std::memcpy(&value, data + offsets[lane], sizeof value);
        values[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    });
}

template <class T>
void scatter_as(const lane_offsets& offsets, lane_mask active, const std::uint32_t* values,
                std::uint8_t* data) noexcept {
    bits::for_each(active, [&](unsigned lane) {
        const auto value = static_cast<T>(values[lane]);
        std::memcpy(data + offsets[lane], &value, sizeof value);
    });
}

}  // namespace

extent extent_of(const std::uint32_t* addresses, lane_mask active, unsigned lanes) noexcept {
    extent found{~0u, 0, 0};
    for_each_half(active, lanes, [&](unsigned first, std::uint32_t mask) {
        extend(found, addresses + first, mask);
    });
    return found;
}

lane_mask lanes_within(const std::uint32_t* addresses, lane_mask active, std::uint32_t base,
                       std::uint32_t size, unsigned lanes) noexcept {
    lane_mask found = 0;
    for_each_half(active, lanes, [&](unsigned first, std::uint32_t) {
        found |= lane_mask{lanes_at(addresses + first, base, size)} << first;
    });
    return found & active;
}

void to_device(std::uint32_t* addresses, lane_mask active, const simt::private_layout& layout,
               std::uint32_t region) noexcept {
    const std::uint32_t base = layout.region_address(region);
    const std::uint32_t first_row = layout.first_row(region);
    const std::uint32_t rows = layout.rows();
    for_each_half(active, layout.lanes, [&](unsigned first, std::uint32_t mask) {
        for (unsigned lane = 0; lane < 32; ++lane) {
            const std::uint32_t address = addresses[first + lane];
            const std::uint32_t offset = address - program::private_window.base;
            // As layout.address(), which the vectorizer does not see through.
            const std::uint32_t row = offset / 4 + first_row;
            const std::uint32_t in_region = row < rows ? row : row - rows;
            const std::uint32_t there =
                base + (in_region * layout.lanes + first + lane) * 4 + offset % 4;
            addresses[first + lane] = ((mask >> lane) & 1u) != 0 ? there : address;
        }
    });
}

void to_device(std::uint32_t* addresses, lane_mask active, const simt::private_layout& layout,
               const gathered_thread* threads) noexcept {
    bits::for_each(active, [&](unsigned lane) {
        const gathered_thread& thread = threads[lane];
        const std::uint32_t offset = addresses[lane] - program::private_window.base;
        addresses[lane] =
            layout.address(thread.private_region, offset, thread.number % layout.lanes);
    });
}

line_access next_access(const std::uint32_t* addresses, lane_mask active, unsigned access_bytes,
                        std::uint32_t line_bytes, unsigned lanes) noexcept {
    const std::uint32_t first = addresses[bits::first(active)];
    const std::uint32_t line = first & ~(line_bytes - 1);
    if (access_bytes == word) {
        // What full warps do mostly: all read one word, or the words of a line.
        if (has_stride<0>(addresses, active, lanes)) {
            byte_mask bytes;
            bytes.word[(first - line) / 64] = std::uint64_t{0xf} << ((first - line) % 64);
            return {line, active, bytes};
        }
        if (first == line && line_bytes == 128 && has_stride<word>(addresses, active, lanes)) {
            return {line, active, byte_mask::bytes(0, 128)};
        }
    }
    const lane_mask together = lanes_within(addresses, active, line, line_bytes, lanes);
    return {line, together, bytes_of(addresses, together, access_bytes, line_bytes, lanes)};
}

void find_offsets(const std::uint32_t* addresses, std::uint32_t base, unsigned lanes,
                  lane_offsets& offsets) noexcept {
    for (unsigned first = 0; first < lanes; first += 32) {
        offsets_from(addresses + first, base, offsets.data() + first);
    }
}

void gather(const isa::instruction& load, const lane_offsets& offsets, lane_mask active,
            const std::uint8_t* data, unsigned lanes, std::uint32_t* values) noexcept {
    const bool extend = load.access_signed();
    switch (load.access_bytes()) {
        case 1:
            return extend ? gather_as<std::int8_t>(offsets, active, data, values)
                          : gather_as<std::uint8_t>(offsets, active, data, values);
        case 2:
            return extend ? gather_as<std::int16_t>(offsets, active, data, values)
                          : gather_as<std::uint16_t>(offsets, active, data, values);
        default:
            if (has_stride<word>(offsets, active, lanes)) {
                std::memcpy(values, data + offsets[0], 128);
                return;
            }
            if (has_stride<0>(offsets, active, lanes)) {
                std::uint32_t value;
                std::memcpy(&value, data + offsets[0], sizeof value);
                std::fill_n(values, 32, value);
                return;
            }
            return gather_as<std::uint32_t>(offsets, active, data, values);
    }
}

void scatter(unsigned access_bytes, const lane_offsets& offsets, lane_mask active,
             const std::uint32_t* values, unsigned lanes, std::uint8_t* data) noexcept {
    switch (access_bytes) {
        case 1:
            return scatter_as<std::uint8_t>(offsets, active, values, data);
        case 2:
            return scatter_as<std::uint16_t>(offsets, active, values, data);
        default:
            if (has_stride<word>(offsets, active, lanes)) {
                std::memcpy(data + offsets[0], values, 128);
                return;
            }
            return scatter_as<std::uint32_t>(offsets, active, values, data);
    }
}

}  // namespace heddle::coalescer
