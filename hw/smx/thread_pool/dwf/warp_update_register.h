// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/thread_turn.h"
#include "hw/smx/thread_pool/dwf/pc_table.h"
#include "models/base/bits.h"

namespace heddle {

/// A warp update register (Fung 2008, 4.2): threads that came back with one next PC and wait to be
/// put into warps of the pool.
struct warp_update_register {
    pc_tag tag;                                                  ///< NPC, and the threads' block
    isa::lane_mask requested = 0;                                ///< REQ; 0: the register is empty
    std::array<std::uint16_t, protocol::maximum_lanes> threads;  ///< TID of the requested lanes

    [[nodiscard]] bool empty() const noexcept { return requested == 0; }
    [[nodiscard]] unsigned count() const noexcept { return bits::count(requested); }
};

}  // namespace heddle
