// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/analytic/storage.h"

/// Storage and area of dynamic warp formation in one SMX: chapter 7 of Fung, "Dynamic Warp
/// Formation" (MASc thesis, University of British Columbia, 2008).
namespace heddle::analytic {

/// What decides the widths. The defaults are the thesis' machine.
struct formation_geometry {
    std::uint32_t warp_size = 32;
    std::uint32_t threads = 768;  ///< resident in an SMX
    std::uint32_t lookup_entries = 64;
    std::uint32_t pool_entries = 128;
    std::uint32_t heap_lookup_entries = 128;
    std::uint32_t heap_entries = 64;

    [[nodiscard]] bool operator==(const formation_geometry& other) const noexcept {
        return warp_size == other.warp_size && threads == other.threads &&
               lookup_entries == other.lookup_entries && pool_entries == other.pool_entries &&
               heap_lookup_entries == other.heap_lookup_entries &&
               heap_entries == other.heap_entries;
    }
};

/// Table 7.1: the six structures, in its order. The printed values are there for the thesis'
/// geometry only. An index of a structure has one bit more where it may be none.
[[nodiscard]] std::vector<storage> formation_storage(const formation_geometry& geometry);

/// A row of table 7.2: a memory as it was given to CACTI 4.2, beside what its fields need.
struct cacti_memory {
    const char* name;
    std::uint64_t bytes;          ///< that the fields of table 7.1 need, without a tag
    std::uint32_t output_bits;    ///< of one entry, without its tag
    std::uint64_t printed_bytes;  ///< given to CACTI
    std::uint32_t printed_output_bits;
    std::uint32_t read_ports, write_ports;  ///< given to CACTI
};

/// Table 7.2 of the thesis' geometry, in its order.
[[nodiscard]] std::vector<cacti_memory> cacti_memories();

/// Area in mm2 at 90 nm. The inputs are results of CACTI 4.2 that the thesis prints; the rest is
/// arithmetic.
struct formation_area {
    double scheduler = 0;          ///< the structures of table 7.1
    double register_decoders = 0;  ///< eight banks of the register file instead of one
    std::uint32_t cores = 16;

    [[nodiscard]] double core() const noexcept { return scheduler + register_decoders; }
    [[nodiscard]] double chip() const noexcept { return core() * cores; }
    /// Part of the 470 mm2 of a GeForce 8800 GTX.
    [[nodiscard]] double share() const noexcept { return chip() / 470; }
};
[[nodiscard]] formation_area thesis_formation_area();

}  // namespace heddle::analytic
