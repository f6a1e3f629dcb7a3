// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/analytic/storage.h"

/// Storage of dynamic thread block launch: section 4.3 of Wang, Rubin, Sidelnik, Yalamanchili,
/// "Dynamic Thread Block Launch" (ISCA 2015).
namespace heddle::analytic {

/// What decides the sizes. The defaults are the paper's machine.
struct launch_geometry {
    std::uint32_t distributor_entries = 32;
    std::uint32_t smx_count = 13;
    std::uint32_t blocks = 16;           ///< resident on an SMX
    std::uint32_t table_entries = 1024;  ///< of the aggregated group table
    std::uint32_t chains = 1;            ///< of an entry; no part of what the paper prints

    [[nodiscard]] bool operator==(const launch_geometry& other) const noexcept {
        return distributor_entries == other.distributor_entries && smx_count == other.smx_count &&
               blocks == other.blocks && table_entries == other.table_entries;
    }
};

/// The new fields of structures that are there without it, then the aggregated group table.
[[nodiscard]] std::vector<storage> launch_storage(const launch_geometry& geometry);

/// What the paper does not have: chains of an entry beyond the first, and buffers for as many
/// records as are fetched ahead. Nothing with one chain.
[[nodiscard]] std::vector<storage> further_chain_storage(const launch_geometry& geometry);

/// Bytes of the new fields: all but the table.
[[nodiscard]] std::uint64_t launch_field_bytes(const launch_geometry& geometry);
inline constexpr std::uint64_t printed_launch_field_bytes = 1096;

}  // namespace heddle::analytic
