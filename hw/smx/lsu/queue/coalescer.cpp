// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/queue/coalescer.h"

#include <algorithm>
#include <cstring>

#include "models/base/bits.h"

namespace heddle::coalescer {

namespace {

/// Calls f(first, mask) for each half of 32 lanes: a 32-bit variable shift is one vector
/// instruction. Loops over the lanes of a half are functions of their own, which the compiler
/// turns into vector code; within the lambdas it unrolls them into scalar code first.
template <class Function>
void for_each_half(lane_mask active, unsigned lanes, Function&& f) {
    f(0U, static_cast<std::uint32_t>(active));
    if (lanes > 32) f(32U, static_cast<std::uint32_t>(active >> 32));
}

/// Bit i becomes bits 4i ... 4i + 3.
std::uint64_t words_to_bytes(std::uint64_t words) noexcept {
    words = (words | words << 24) & 0x000000ff000000ffu;
    words = (words | words << 12) & 0x000f000f000f000fu;
    words = (words | words << 6) & 0x0303030303030303u;
    words = (words | words << 3) & 0x1111111111111111u;
    return words * 15;
}

/// The bytes of these words of a line; mostly they are neighbours.
byte_mask bytes_of_words(std::uint32_t words) noexcept {
    const unsigned first = bits::first(words);
    const std::uint64_t run = std::uint64_t{words} >> first;
    if ((run & (run + 1)) == 0) return byte_mask::bytes(4 * first, 4 * bits::count(run));
    return {{words_to_bytes(words & 0xffffu), words_to_bytes(words >> 16)}};
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

/// Of 32 lanes; `all`: of which none is inactive.
template <bool all>
address_span span_of_half(const std::uint32_t* addresses, std::uint32_t active) noexcept {
    address_span half{~0u, 0, 0};
    for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint32_t on = all ? ~0u : 0u - ((active >> lane) & 1u);
        half.low = std::min(half.low, addresses[lane] | ~on);
        half.high = std::max(half.high, addresses[lane] & on);
        half.bits |= addresses[lane] & on;
    }
    return half;
}

void extend(address_span& found, const std::uint32_t* addresses, std::uint32_t active) noexcept {
    const address_span half = active == ~0u ? span_of_half<true>(addresses, active)
                                            : span_of_half<false>(addresses, active);
    found.low = std::min(found.low, half.low);
    found.high = std::max(found.high, half.high);
    found.bits |= half.bits;
}

/// Of an access at the address.
byte_mask bytes_at(std::uint32_t address, unsigned access_bytes,
                   std::uint32_t line_bytes) noexcept {
    const std::uint32_t byte = address & (line_bytes - 1);
    byte_mask bytes;
    bytes.word[byte / 64] = ((std::uint64_t{1} << access_bytes) - 1) << (byte % 64);
    return bytes;
}

byte_mask bytes_of(const std::uint32_t* addresses, lane_mask active, unsigned access_bytes,
                   std::uint32_t line_bytes, unsigned lanes) noexcept {
    if (access_bytes == 4) {
        std::uint32_t words = 0;
        for_each_half(active, lanes, [&](unsigned first, std::uint32_t mask) {
            words |= words_of(addresses + first, mask, line_bytes);
        });
        return bytes_of_words(words);
    }
    byte_mask bytes;
    bits::for_each(active, [&](unsigned lane) {
        bytes |= bytes_at(addresses[lane], access_bytes, line_bytes);
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

/// Full warp of 32, each lane's address `stride` bytes behind the one before.
template <unsigned stride>
bool has_stride(const std::uint32_t* addresses, lane_mask active, unsigned lanes) noexcept {
    if (lanes != 32 || active != 0xffffffffu) return false;
    if (addresses[31] != addresses[0] + stride * 31) return false;  // most of the others
    std::uint32_t difference = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        difference |= addresses[lane] ^ (addresses[0] + stride * lane);
    }
    return difference == 0;
}

/// Where a warp's private memory lies.
struct rows_of_region {
    std::uint32_t base, first_row, rows, lanes;
};

/// As layout.address(), which the vectorizer does not see through. `in` is a copy: no address that
/// is written changes it.
void half_to_device(std::uint32_t* addresses, unsigned first, std::uint32_t active,
                    const rows_of_region in) noexcept {
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned lane = first + i;
        const std::uint32_t address = addresses[lane];
        const std::uint32_t offset = address - program::private_window.base;
        const std::uint32_t row = offset / 4 + in.first_row;
        const std::uint32_t in_region = row < in.rows ? row : row - in.rows;
        const std::uint32_t there = in.base + (in_region * in.lanes + lane) * 4 + offset % 4;
        addresses[lane] = ((active >> i) & 1u) != 0 ? there : address;
    }
}

constexpr unsigned word = 4;

/// Eight lanes. How their places lie is one comparison of 64 bits: places are below 128, so that no
/// sum of bytes has a carry.
struct eight_places {
    explicit eight_places(const std::uint8_t* places) noexcept {
        std::memcpy(&all, places, sizeof all);
        first = all & 0xff;
    }
    [[nodiscard]] bool are_equal() const noexcept { return all == first * 0x0101010101010101; }
    /// Each is a word behind the one before.
    [[nodiscard]] bool are_in_row() const noexcept {
        return all == first * 0x0101010101010101 + 0x1c1814100c080400;
    }
    std::uint64_t all, first;
};

/// Calls eight(lane) for the first of eight neighbours that are all active, and one(lane) for those
/// of others, and of eight for which eight() has said no.
template <class Eight, class One>
void for_each_eight(lane_mask active, unsigned lanes, const Eight& eight, const One& one) {
    if (bits::count(active) < 8) return bits::for_each(active, one);
    for (unsigned lane = 0; lane < lanes; lane += 8) {
        const lane_mask some = active >> lane & 0xff;
        if (some == 0xff && eight(lane)) continue;
        bits::for_each(some << lane, one);
    }
}

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

void gather_words(const lane_offsets& offsets, lane_mask active, const std::uint8_t* data,
                  unsigned lanes, std::uint32_t* values) noexcept {
    const auto one = [&](unsigned lane) { std::memcpy(values + lane, data + offsets[lane], word); };
    const auto eight = [&](unsigned lane) {
        const eight_places places(&offsets[lane]);
        if (places.are_in_row()) {
            std::memcpy(values + lane, data + places.first, 8 * word);
        } else if (places.are_equal()) {
            std::uint32_t value;
            std::memcpy(&value, data + places.first, word);
            std::fill_n(values + lane, 8, value);
        } else {
            return false;
        }
        return true;
    };
    for_each_eight(active, lanes, eight, one);
}

void scatter_words(const lane_offsets& offsets, lane_mask active, const std::uint32_t* values,
                   unsigned lanes, std::uint8_t* data) noexcept {
    const auto one = [&](unsigned lane) { std::memcpy(data + offsets[lane], values + lane, word); };
    const auto eight = [&](unsigned lane) {
        const eight_places places(&offsets[lane]);
        if (!places.are_in_row()) return false;
        std::memcpy(data + places.first, values + lane, 8 * word);
        return true;
    };
    for_each_eight(active, lanes, eight, one);
}

}  // namespace

address_span span_of(const std::uint32_t* addresses, lane_mask active, unsigned lanes) noexcept {
    address_span found{~0u, 0, 0};
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
    const rows_of_region rows{layout.region_address(region), layout.first_row(region),
                              layout.rows(), layout.lanes};
    for_each_half(active, layout.lanes, [&](unsigned first, std::uint32_t mask) {
        half_to_device(addresses, first, mask, rows);
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

coalesced_access next_access(const std::uint32_t* addresses, lane_mask active,
                             unsigned access_bytes, std::uint32_t line_bytes,
                             unsigned lanes) noexcept {
    const std::uint32_t first = addresses[bits::first(active)];
    const std::uint32_t line = first & ~(line_bytes - 1);
    if (access_bytes == word) {
        // What full warps do mostly: all read one word, or the words of a line.
        if (has_stride<0>(addresses, active, lanes)) {
            return {line, active, bytes_at(first, word, line_bytes)};
        }
        if (first == line && line_bytes == 128 && has_stride<word>(addresses, active, lanes)) {
            return {line, active, byte_mask::bytes(0, 128)};
        }
    }
    // Lanes of scattered accesses mostly have a line of their own.
    const auto alone = [](lane_mask some) { return (some & (some - 1)) == 0; };
    const lane_mask together =
        alone(active) ? active : lanes_within(addresses, active, line, line_bytes, lanes);
    if (alone(together)) return {line, together, bytes_at(first, access_bytes, line_bytes)};
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
            return gather_words(offsets, active, data, lanes, values);
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
            return scatter_words(offsets, active, values, lanes, data);
    }
}

}  // namespace heddle::coalescer
