// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "models/base/strong_index.h"
#include "models/program/address_map.h"

namespace heddle {

/// Memory for the state of blocks that leave their SMX, a part of the runtime reserve. Each SMX has
/// a slice of it. Areas of one size are used again; nothing is joined, as blocks of a kernel need
/// areas of a few sizes only.
///
/// A block may come back on another SMX and give its area back there. The area's own SMX has it
/// from the next edge on: in which order SMXs run at an edge changes no address.
class save_areas {
public:
    static constexpr std::uint32_t first_address = program::saved_state.base;
    static constexpr std::uint32_t end_address = first_address + program::saved_state.size;

    explicit save_areas(std::uint32_t smxs)
        : slice_bytes_(program::saved_state.size / smxs / granule_bytes * granule_bytes),
          slices_(smxs) {
        std::uint32_t next = first_address;
        for (slice& each : slices_) {
            each.next = next;
            next += slice_bytes_;
            each.end = next;
        }
    }

    /// An area for `bytes` (> 0) at `edge`; 0 if the SMX's slice has no room.
    [[nodiscard]] std::uint32_t allocate(sm_id sm, std::uint32_t bytes, std::uint64_t edge) {
        slice& own = slices_[sm.value()];
        take_returned(own, edge);
        const std::uint32_t size = rounded(bytes);
        std::vector<std::uint32_t>& free = own.free[size];
        if (!free.empty()) {
            const std::uint32_t address = free.back();
            free.pop_back();
            return address;
        }
        if (size > own.end - own.next) return 0;
        own.next += size;
        return own.next - size;
    }
    /// Gives an area of `bytes` back. Unchecked.
    void release(std::uint32_t address, std::uint32_t bytes, std::uint64_t edge) {
        slices_[(address - first_address) / slice_bytes_].returned.push_back(
            {edge, address, rounded(bytes)});
    }

private:
    struct returned_area {
        std::uint64_t edge;
        std::uint32_t address, size;

        bool operator<(const returned_area& other) const noexcept {
            return std::tie(edge, address) < std::tie(other.edge, other.address);
        }
    };
    struct slice {
        std::uint32_t next = 0;  ///< from here on nothing was ever used
        std::uint32_t end = 0;
        std::map<std::uint32_t, std::vector<std::uint32_t>> free;  ///< by size
        std::vector<returned_area> returned;
    };

    static constexpr std::uint32_t granule_bytes = 1024;
    static constexpr std::uint32_t rounded(std::uint32_t bytes) noexcept {
        return (bytes + granule_bytes - 1) / granule_bytes * granule_bytes;
    }
    /// Those of earlier edges, in an order that does not depend on who gave them back first.
    static void take_returned(slice& own, std::uint64_t edge) {
        std::sort(own.returned.begin(), own.returned.end());
        std::size_t taken = 0;
        for (; taken < own.returned.size() && own.returned[taken].edge < edge; ++taken) {
            own.free[own.returned[taken].size].push_back(own.returned[taken].address);
        }
        own.returned.erase(own.returned.begin(),
                           own.returned.begin() + static_cast<std::ptrdiff_t>(taken));
    }

    const std::uint32_t slice_bytes_;
    std::vector<slice> slices_;
};

}  // namespace heddle
