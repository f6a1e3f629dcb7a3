// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/analytic/storage.h"

/// Storage of transactional memory in one SMX: Table 3 of Villegas, Navarro, Asenjo, Plata,
/// "Improvements in Hardware Transactional Memory for GPU Architectures".
namespace heddle::analytic {

/// What decides the sizes. The defaults are the paper's machine, with one block of four warps.
struct transaction_geometry {
    std::uint32_t shared_bytes = 65536;
    std::uint32_t banks = 32;
    std::uint32_t warp_size = 64;
    std::uint32_t threads = 256;

    [[nodiscard]] bool operator==(const transaction_geometry& other) const noexcept {
        return shared_bytes == other.shared_bytes && banks == other.banks &&
               warp_size == other.warp_size && threads == other.threads;
    }
    [[nodiscard]] std::uint32_t warps() const noexcept {
        return (threads + warp_size - 1) / warp_size;
    }
    /// Words of shared memory that fit together with their shadow memory.
    [[nodiscard]] std::uint64_t words() const noexcept;
};

/// In this order: shadow memory (old values, owners, and the owners' valid bits, which the paper
/// does not count), signatures of each thread and bank, signatures of writes of each warp, S and M
/// bits of each word, masks TCM and MCM of each warp.
[[nodiscard]] std::vector<storage> transaction_storage(const transaction_geometry& geometry);

/// A number of the paper's Table 3 and section 5.
struct transaction_quantity {
    const char* name;
    const char* unit;
    std::uint64_t computed;
    std::optional<std::uint64_t> printed;  ///< if this is the paper's machine and it says
};
[[nodiscard]] std::vector<transaction_quantity> transaction_quantities(
    const transaction_geometry& geometry);

/// 32-bit registers that hold these bits.
[[nodiscard]] constexpr std::uint64_t registers_for(std::uint64_t bits) noexcept {
    return (bits + 31) / 32;
}

/// Scalar registers of a block with `warps` warps of `warp_size` threads: the mask TCM, and those
/// that a signature of writes or the mask MCM (multiple selection) adds.
struct scalar_registers {
    std::uint64_t masks, write_signatures, multiple_selection;
};
[[nodiscard]] constexpr scalar_registers transaction_scalars(std::uint32_t warps,
                                                             std::uint32_t warp_size) noexcept {
    const std::uint64_t mask = registers_for(std::uint64_t{warps} * warp_size);
    return {mask, warps, mask};
}

}  // namespace heddle::analytic
