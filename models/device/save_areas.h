// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/program/address_map.h"

namespace heddle {

/// Memory for the state of suspended blocks, a part of the runtime reserve. Areas of one size are
/// used again; nothing is joined, as blocks of a kernel need areas of a few sizes only.
/// O(log sizes) a call.
class save_areas {
public:
    static constexpr std::uint32_t first_address = program::saved_state.base;
    static constexpr std::uint32_t end_address = first_address + program::saved_state.size;

    /// An area for `bytes` (> 0); 0 if there is no room.
    [[nodiscard]] std::uint32_t allocate(std::uint32_t bytes) {
        const std::uint32_t size = rounded(bytes);
        std::vector<std::uint32_t>& free = free_[size];
        if (!free.empty()) {
            const std::uint32_t address = free.back();
            free.pop_back();
            return address;
        }
        if (size > end_address - next_) return 0;
        next_ += size;
        return next_ - size;
    }
    /// Gives an area of `bytes` back. Unchecked.
    void release(std::uint32_t address, std::uint32_t bytes) {
        free_[rounded(bytes)].push_back(address);
    }

private:
    static constexpr std::uint32_t granule_bytes = 1024;
    static constexpr std::uint32_t rounded(std::uint32_t bytes) noexcept {
        return (bytes + granule_bytes - 1) / granule_bytes * granule_bytes;
    }

    std::map<std::uint32_t, std::vector<std::uint32_t>> free_;  ///< by size
    std::uint32_t next_ = first_address;  ///< from here on nothing was ever used
};

}  // namespace heddle
