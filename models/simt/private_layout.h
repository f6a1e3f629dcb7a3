// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/program/address_map.h"

namespace heddle::simt {

/// Private memory as it lies in device memory: one region a warp, from the end of the runtime
/// reserve downwards, so that parameter buffers and records can grow from its start. Within a
/// region the words of the lanes are interleaved: equal offsets of a warp are contiguous.
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
    /// Device address of byte `offset` of a lane's private memory.
    [[nodiscard]] constexpr std::uint32_t address(std::uint32_t region, std::uint32_t offset,
                                                  std::uint32_t lane) const noexcept {
        return region_address(region) + (offset / 4 * lanes + lane) * 4 + offset % 4;
    }
};

}  // namespace heddle::simt
