// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/device/device.h"
#include "models/isa/csr.h"

namespace heddle::simt {

/// What the id registers of a block's threads say.
struct block_identity {
    dim3 index;  ///< in the grid
    dim3 grid;   ///< blocks
    dim3 block;  ///< threads
    std::uint32_t sm = 0;
    std::uint32_t launch = 0;  ///< number of the launch, the gridid CSR
    std::uint32_t dynamic_shared_base = 0;
    std::uint32_t dynamic_shared_bytes = 0;

    [[nodiscard]] std::uint32_t threads() const noexcept {
        return static_cast<std::uint32_t>(block.count());
    }
};

/// Index of block number `linear` of a grid, x fastest.
[[nodiscard]] dim3 unflatten(std::uint64_t linear, const dim3& extent) noexcept;

/// Value of a read-only id CSR in every lane of warp `warp` of a block, into values[lanes].
/// Threads are packed into warps by linear index, x fastest. False for a CSR that is no id: those
/// that count time or hold state belong to whoever executes the warp.
bool read_identity(isa::csr which, const block_identity& identity, unsigned warp, unsigned lanes,
                   std::uint32_t* values) noexcept;

}  // namespace heddle::simt
