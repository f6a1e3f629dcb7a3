// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/axi/channels.h"

/// Arithmetic of bursts (IHI 0022, A3.4.1); no state.
namespace heddle::axi {

/// The bytes of memory that a beat moves, and where they lie on the bus.
struct beat_place {
    std::uint64_t address = 0;  ///< of the first byte
    unsigned lane = 0;          ///< of the first byte
    unsigned bytes = 0;
};
/// Of beat 0 ... beats() - 1, on a bus of `bus_bytes`. The size is at most the bus.
[[nodiscard]] beat_place place_of(const address_beat& burst, unsigned beat, unsigned bus_bytes);
/// A bit for each lane of the place.
[[nodiscard]] std::uint64_t lanes_of(const beat_place& place) noexcept;

/// Bytes of memory of an INCR burst, from its address to the end of its last beat.
[[nodiscard]] unsigned bytes_of(const address_beat& burst) noexcept;
/// The first byte behind a burst of any type.
[[nodiscard]] std::uint64_t end_of(const address_beat& burst) noexcept;
/// The lowest byte that a burst of any type moves.
[[nodiscard]] std::uint64_t begin_of(const address_beat& burst) noexcept;
/// Whether an INCR burst has bytes on both sides of a multiple of 4 KB.
[[nodiscard]] bool crosses_boundary(const address_beat& burst) noexcept;
/// Whether two bursts have bytes in common.
[[nodiscard]] bool overlap(const address_beat& a, const address_beat& b) noexcept;

/// The first burst of an access.
struct piece {
    address_beat burst;       ///< INCR, without an ID
    std::uint32_t bytes = 0;  ///< of the access that it moves
};
/// Of an access to `bytes` > 0 bytes. A burst has full beats, or one that is as narrow as it can
/// be: a power of two that holds the access. It ends before a multiple of 4 KB and after 256 beats.
[[nodiscard]] piece first_piece(std::uint64_t address, std::uint64_t bytes, unsigned bus_bytes);

}  // namespace heddle::axi
