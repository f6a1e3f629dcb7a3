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
    std::uint32_t gridid = 0;  ///< launch_id::gridid()
    std::uint32_t dynamic_shared_base = 0;
    std::uint32_t dynamic_shared_bytes = 0;
    dim3 offset{0, 0, 0};          ///< index of the grid's first thread
    std::uint32_t dimensions = 1;  ///< launch_shape::work_dimensions()

    [[nodiscard]] std::uint32_t threads() const noexcept {
        return static_cast<std::uint32_t>(block.count());
    }
};

/// Index of block number `linear` of a grid, x fastest.
[[nodiscard]] dim3 unflatten(std::uint64_t linear, const dim3& extent) noexcept;

/// What the id and counter registers of a warp's threads say.
struct csr_context {
    const block_identity& block;
    unsigned warp;               ///< in the block
    std::uint64_t clock;         ///< of the device, in its own unit
    std::uint64_t instructions;  ///< of the warp, the reading one included
    /// Of each thread, by lane, where the threads of a warp don't run together; else null.
    const std::uint64_t* thread_instructions = nullptr;
};

/// Value of an existing CSR in every lane of a warp, into values[lanes]. Threads are packed into
/// warps by linear index, x fastest. frm[lane] are the lanes' dynamic rounding modes.
void read_csr(isa::csr which, const csr_context& context, unsigned lanes, const std::uint8_t* frm,
              std::uint32_t* values) noexcept;

}  // namespace heddle::simt
