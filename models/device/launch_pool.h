// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/base/strong_index.h"
#include "models/program/address_map.h"

namespace heddle {

/// The memory of the parameter buffers that kernels allocate for their launches. It is a part of
/// the runtime reserve, cut into one slice an SMX, so that SMXs don't share anything.
///
/// A buffer takes whole granules of 64 bytes. It is *open* from allocate() to seal(), *sealed* from
/// then on: a launch has been made of it, and no kernel may write it any more. Two bits a granule
/// say so, which is what accesses are checked against.
/// Each call is O(1): free buffers are kept by size, and a larger one is cut when there is none of
/// the size. What was cut is not joined again.
class launch_pool {
public:
    static constexpr std::uint32_t granule_bytes = 64;
    /// The largest buffer: a launch record and 4 KB of parameters, as in CUDA.
    static constexpr std::uint32_t most_bytes = 48 + 4096;
    /// The part of the runtime reserve that pools lie in.
    static constexpr std::uint32_t first_address = program::launch_buffers.base;
    static constexpr std::uint32_t window_bytes = program::launch_buffers.size;

    /// `bytes` (at most window_bytes) in `slices` equal parts. A pool of 0 bytes has no buffers.
    launch_pool(std::uint32_t bytes, std::uint32_t slices);

    /// A new open buffer; 0 if it is larger than most_bytes, has no bytes, or the slice is full.
    [[nodiscard]] std::uint32_t allocate(sm_id slice, std::uint32_t bytes);
    /// Bytes of the buffer at `address`, whole granules; 0 if no buffer begins there.
    [[nodiscard]] std::uint32_t bytes_at(std::uint32_t address) const noexcept;
    /// Whether an open buffer begins there.
    [[nodiscard]] bool is_open(std::uint32_t address) const noexcept;
    /// An open buffer becomes a launch's. False, and no change, if there is none.
    [[nodiscard]] bool seal(std::uint32_t address);
    /// Gives a buffer back, open or sealed. False, and no change, if none begins there.
    [[nodiscard]] bool release(std::uint32_t address);

    /// Gives all buffers back.
    void release_all() noexcept;

    /// Whether kernels may read, or write, these bytes, which lie in one aligned word.
    [[nodiscard]] bool may_access(std::uint32_t address, bool write) const noexcept;
    [[nodiscard]] static bool in_window(std::uint32_t address) noexcept {
        return address - first_address < window_bytes;
    }
    /// Bytes in buffers, whole granules.
    [[nodiscard]] std::uint64_t used_bytes() const noexcept {
        return std::uint64_t{used_granules_} * granule_bytes;
    }

private:
    static constexpr unsigned most_granules = (most_bytes + granule_bytes - 1) / granule_bytes;

    struct slice {
        std::uint32_t next = 0;  ///< granules from here on were never used
        std::uint32_t end = 0;
        /// Free buffers by their granules.
        std::array<std::vector<std::uint32_t>, most_granules + 1> free;
    };

    /// First granule of a buffer for `count` granules; none: the number of granules.
    [[nodiscard]] std::uint32_t take(slice& from, unsigned count);
    /// The granule that a buffer begins at; the number of granules if none begins there.
    [[nodiscard]] std::uint32_t head_at(std::uint32_t address) const noexcept;
    void mark(std::vector<std::uint64_t>& bits, std::uint32_t first, unsigned count, bool value);
    [[nodiscard]] static bool test(const std::vector<std::uint64_t>& bits, std::uint32_t at) {
        return (bits[at / 64] >> at % 64 & 1) != 0;
    }

    std::uint32_t granules_;  ///< of all slices
    std::uint32_t slice_granules_;
    std::vector<slice> slices_;
    std::vector<std::uint64_t> used_;    ///< a bit a granule: in a buffer
    std::vector<std::uint64_t> sealed_;  ///< a bit a granule: in a sealed buffer
    flat_memory lengths_;
    std::uint8_t* const length_;  ///< by first granule: of its buffer, 0: no buffer begins
    std::uint32_t used_granules_ = 0;
};

}  // namespace heddle
