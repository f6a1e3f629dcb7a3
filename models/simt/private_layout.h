// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/program/address_map.h"

namespace heddle::simt {

/// Private memory as it lies in device memory: one region a warp, from the end of the runtime
/// reserve downwards, so that parameter buffers and records can grow from its start. Within a
/// region the words of the lanes are interleaved: equal offsets of a warp are contiguous, a row.
///
/// The rows of each region begin at another place of it, as regions are a power of two apart: warps
/// that use the same offset would otherwise meet at few sets of L1D and few banks of L2. The places
/// are 256 bytes apart and follow from a multiplicative hash of the region's number (Knuth, The Art
/// of Computer Programming 3, section 6.4).
struct private_layout {
    std::uint32_t bytes_per_thread;  ///< a multiple of 4
    std::uint32_t lanes;

    [[nodiscard]] constexpr std::uint32_t region_bytes() const noexcept {
        return bytes_per_thread * lanes;
    }
    /// First address of a region. Precondition: (region + 1) * region_bytes() fits the reserve.
    [[nodiscard]] constexpr std::uint32_t region_address(std::uint32_t region) const noexcept {
        const std::uint64_t end =
            std::uint64_t{program::reserve_window.base} + program::reserve_window.size;
        return static_cast<std::uint32_t>(end - (std::uint64_t{region} + 1) * region_bytes());
    }
    [[nodiscard]] constexpr std::uint32_t rows() const noexcept { return bytes_per_thread / 4; }
    /// Where in its region the row of offset 0 lies.
    [[nodiscard]] constexpr std::uint32_t first_row(std::uint32_t region) const noexcept {
        constexpr std::uint32_t piece_bytes = 256;
        const std::uint32_t pieces = region_bytes() / piece_bytes;
        const std::uint32_t hash = (region * 0x9e37'79b1U) >> 16U;
        return pieces == 0 ? 0 : hash % pieces * (rows() / pieces);
    }
    /// Device address of byte `offset` of a lane's private memory.
    [[nodiscard]] constexpr std::uint32_t address(std::uint32_t region, std::uint32_t offset,
                                                  std::uint32_t lane) const noexcept {
        std::uint32_t row = offset / 4 + first_row(region);
        if (row >= rows()) row -= rows();
        return region_address(region) + (row * lanes + lane) * 4 + offset % 4;
    }
};

}  // namespace heddle::simt
