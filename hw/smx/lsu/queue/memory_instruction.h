// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/protocol/link.h"
#include "hw/smx/l1/line_user.h"
#include "hw/smx/lsu/queue/memory_flight.h"
#include "hw/smx/tm/private_log.h"
#include "models/base/bits.h"
#include "models/isa/instruction.h"

namespace heddle {

/// A thread that need not be in its home lane.
struct gathered_thread {
    std::uint32_t private_region = 0;  ///< of its home warp
    std::uint16_t number = 0;          ///< in the SMX: home warp slot x warp size + home lane
};

/// A load, store or atomic of a group of threads of one block; filled in place by the pipeline at
/// issue. Lanes are those of the pipeline.
///
/// In place, the threads are those of one home warp, each in its home lane. Gathered, `thread` says
/// which thread each lane holds.
struct memory_instruction {
    memory_flight flight;
    access_owner owner{};  ///< whose outstanding instructions and writes it adds to
    block_slot block{};
    protocol::launch_id launch{};
    std::uint32_t block_index = 0;   ///< linear, in the grid
    std::uint32_t shared_base = 0;   ///< of the block, in the SMX's shared memory
    std::uint32_t shared_bytes = 0;  ///< of the block
    isa::lane_mask lanes = 0;
    bool gathered = false;
    bool loads_constants = false;      ///< by its code (program::constant_load)
    bool for_log = false;              ///< belongs to the private_log, not to the program
    logged_store log;                  ///< for_log: gets what a load finds
    bool transactional = false;        ///< inside a transaction of the threads
    std::uint16_t transaction = 0;     ///< transactional: its context
    warp_slot warp{};                  ///< in place: the home warp
    std::uint32_t private_region = 0;  ///< in place: of the home warp
    alignas(64) std::uint32_t address[protocol::maximum_lanes];  ///< effective, in active lanes
    alignas(64) std::uint32_t data[protocol::maximum_lanes];     ///< x[rs2]: stores, atomics
    alignas(64) std::uint32_t compare[protocol::maximum_lanes];  ///< x[rs3]: amocas.w
    gathered_thread thread[protocol::maximum_lanes];             ///< gathered: of active lanes
};

/// The number in the SMX of the thread in an active lane.
[[nodiscard]] inline std::uint16_t thread_in(const memory_instruction& m, unsigned lane,
                                             unsigned warp_size) noexcept {
    if (m.gathered) return m.thread[lane].number;
    return static_cast<std::uint16_t>(m.warp.value() * warp_size + lane);
}
/// The home warp of the thread in the lowest of `lanes`, of which there must be one.
[[nodiscard]] inline warp_slot home_warp(const memory_instruction& m, isa::lane_mask lanes,
                                         unsigned warp_size) noexcept {
    return m.gathered ? warp_slot(m.thread[bits::first(lanes)].number / warp_size) : m.warp;
}

}  // namespace heddle
