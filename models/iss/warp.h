// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/bits.h"
#include "models/device/execution_counts.h"
#include "models/device/launch_table.h"
#include "models/device/newcomer.h"
#include "models/isa/instruction.h"
#include "models/program/kernel.h"
#include "models/simt/block_threads.h"
#include "models/simt/cooperation_context.h"
#include "models/simt/reconvergence_stack.h"
#include "models/simt/special_registers.h"
#include "models/simt/thread_registers.h"

namespace heddle::iss {

using isa::lane_mask;

/// A launched grid, from its launch to the end of its last block. The launch outlives it.
struct grid {
    explicit grid(const prepared_launch& of) noexcept : launch(of) {}

    const prepared_launch& launch;
    std::uint64_t next_block = 0;  ///< the next to become resident
    std::uint64_t started = 0;     ///< blocks; a forked one counts each time
    std::uint64_t blocks_done = 0;
    bool distributed = false;  ///< no further block starts but by a fork
    bool may_share = false;    ///< threads may run its blocks at the same time
    std::uint64_t made = 0;    ///< place in the order of launches, set by admission
    execution_counts counts;
    std::optional<simt::cooperation_context> cooperation;  ///< of a cooperative launch that runs
    newcomer origin;  ///< of blocks that start at its resizing barrier

    [[nodiscard]] std::uint64_t blocks() const noexcept { return launch.shape.grid.count(); }
};

enum class warp_state : std::uint8_t {
    ready,
    at_barrier,
    in_call,  ///< of its block to the scheduler (cooperation)
    waits_for_children,
    done
};

/// One resident warp.
template <unsigned Lanes>
struct warp {
    simt::thread_registers<Lanes> registers;
    simt::reconvergence_stack stack;
    lane_mask live = 0;  ///< lanes whose thread has not ended
    warp_state state = warp_state::done;
    unsigned index = 0;  ///< in the block
    std::uint64_t instructions = 0;
    /// By lane, where the threads have counts of their own; else null.
    const std::uint64_t* thread_instructions = nullptr;
    /// Private memory, word-interleaved: words[offset / 4 * Lanes + lane].
    std::uint32_t* private_words = nullptr;
    std::uint32_t lowest_private_offset = 0;  ///< of all stores since the warp began

    /// The warp's threads start; their private memory is what it was.
    void start(const grid& of, unsigned index_in_block, std::uint32_t threads,
               std::uint32_t private_bytes) {
        registers.start(of.launch.parameters, private_bytes);
        live = bits::below(std::min(Lanes, threads - index_in_block * Lanes));
        stack.reset(of.launch.kernel->entry, live);
        state = warp_state::ready;
        index = index_in_block;
        instructions = 0;
    }
    /// As start(), of a block that another one has forked.
    void start_at(const newcomer& from) {
        from.apply(registers.x, Lanes);
        stack.reset(from.pc, live);
    }
};

/// One resident thread block.
template <unsigned Lanes>
struct block {
    grid* of = nullptr;  ///< null: the slot is free
    simt::block_identity identity;
    std::vector<warp<Lanes>*> warps;
    std::vector<std::byte> shared;
    simt::block_threads threads;
    std::uint32_t number = 0;  ///< linear, in the grid
    bool suspended = false;    ///< has left its SMX until its children have ended
    // What its threads wait at:
    isa::opcode call = isa::opcode::illegal;  ///< barrier, or a call of cooperation
    std::uint32_t call_target = 0;            ///< where a fork starts blocks
    std::uint32_t known_groups = 0;           ///< M as it was last told; 0: as it is
    bool waits_for_all = false;               ///< at the barrier of all blocks
};

}  // namespace heddle::iss
