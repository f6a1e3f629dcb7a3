// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/device/basic_device.h"
#include "models/device/execution_counts.h"
#include "models/isa/execute.h"
#include "models/program/kernel.h"
#include "models/simt/reconvergence_stack.h"
#include "models/simt/special_registers.h"

namespace heddle::iss {

using isa::lane_mask;

/// A launched grid, from launch() to the end of its last block.
struct grid {
    prepared_launch launch;
    std::uint64_t next_block = 0;  ///< the next to become resident
    std::uint64_t blocks_done = 0;
    execution_counts counts;

    [[nodiscard]] std::uint64_t blocks() const noexcept { return launch.shape.grid.count(); }
};

enum class warp_state : std::uint8_t { ready, at_barrier, done };

/// One resident warp.
template <unsigned Lanes>
struct warp {
    isa::warp_registers<Lanes> registers;
    simt::reconvergence_stack stack;
    lane_mask live = 0;  ///< lanes whose thread has not ended
    warp_state state = warp_state::done;
    unsigned index = 0;  ///< in the block
    std::uint64_t instructions = 0;
    /// Dynamic rounding mode of each lane; null as long as all are RNE.
    const std::uint8_t* rounding = nullptr;
    std::uint8_t frm[Lanes] = {};
    /// Private memory, word-interleaved: words[offset / 4 * Lanes + lane].
    std::uint32_t* private_words = nullptr;
    std::uint32_t lowest_private_offset = 0;  ///< of all stores since the warp began
};

/// One resident thread block.
template <unsigned Lanes>
struct block {
    grid* of = nullptr;  ///< null: the slot is free
    simt::block_identity identity;
    std::vector<warp<Lanes>*> warps;
    std::vector<std::byte> shared;
    std::uint32_t live_threads = 0;
    std::uint32_t threads_at_barrier = 0;
};

}  // namespace heddle::iss
