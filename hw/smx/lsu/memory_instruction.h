// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/protocol/link.h"
#include "models/isa/instruction.h"

namespace heddle {

/// A load, store or atomic of a warp; filled in place by the pipeline at issue.
struct memory_instruction {
    warp_slot warp{};
    block_slot block{};
    protocol::launch_id launch{};
    std::uint32_t block_index = 0;                  ///< linear, in the grid
    std::uint64_t number = 0;                       ///< of the warp's instructions, for the client
    std::uint32_t private_region = 0;               ///< of this warp
    std::uint32_t shared_base = 0;                  ///< of the block, in the SM's local memory
    std::uint32_t shared_bytes = 0;                 ///< of the block
    const isa::instruction* instruction = nullptr;  ///< stays valid until completed
    isa::lane_mask lanes = 0;
    alignas(64) std::uint32_t address[protocol::maximum_lanes];  ///< effective, in active lanes
    alignas(64) std::uint32_t data[protocol::maximum_lanes];     ///< x[rs2]: stores, atomics
    alignas(64) std::uint32_t compare[protocol::maximum_lanes];  ///< x[rs3]: amocas.w
};

}  // namespace heddle
