// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "models/base/bits.h"
#include "models/isa/instruction.h"
#include "models/program/kernel.h"

namespace heddle {

/// The front of an SMX as a block sees it that leaves the SMX before its end: stops warps, takes
/// them out of their slots, and puts warps into slots as they were.
class movable_warps {
public:
    /// The warp stops before its next instruction: at once, or by a later call, if an instruction
    /// of it is under way that other units end, or a transaction. It may be told again.
    virtual void hold(unsigned warp) = 0;
    /// The warp is held no longer.
    virtual void go_on(unsigned warp) = 0;
    /// Warps that have stopped.
    [[nodiscard]] virtual protocol::warp_mask held() const = 0;
    /// Warps that wait at the barrier of their block, which is not complete.
    [[nodiscard]] virtual protocol::warp_mask at_barrier() const = 0;
    /// The threads of a warp that waits there count as waiting when it comes back. Else it says
    /// itself which of them wait (block_table::arrive_alone).
    [[nodiscard]] virtual bool counts_as_waiting(unsigned warp) const {
        return bits::test(at_barrier(), warp);
    }
    /// Whether nothing of the warp is under way: no access, result or fetch. True for one that has
    /// ended.
    [[nodiscard]] virtual bool rests(unsigned warp) const = 0;
    /// Puts PC and formation of a warp that rests behind `words`.
    virtual void save(unsigned warp, std::vector<std::uint32_t>& words) const = 0;
    /// The warp leaves its slot.
    virtual void leave(unsigned warp) = 0;
    /// A warp comes into a slot; `words` begins with what save() has left. `at_barrier`: it waits
    /// at the barrier of its block, else it may go on.
    virtual void come_back(unsigned warp, const std::uint32_t* words, bool at_barrier,
                           const program::kernel_code& code) = 0;

protected:
    ~movable_warps() = default;
};

}  // namespace heddle
