// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/link.h"
#include "models/isa/instruction.h"

namespace heddle {

/// One bit per register; bit 32 is isa::sink_register.
using register_mask = std::uint64_t;

[[nodiscard]] constexpr register_mask register_bit(unsigned index) noexcept {
    return register_mask{1} << index;
}

/// Which registers of each warp wait for a result, and which of these wait for memory or constants.
/// An instruction may issue when none of its operands, sources and destination, waits (RAW and
/// WAW). Sources are read at issue, so there is no WAR hazard.
class scoreboard {
public:
    [[nodiscard]] bool blocked(unsigned warp, register_mask operands) const noexcept {
        return (warps_[warp].pending & operands) != 0;
    }
    /// Whether a blocked instruction waits for memory, not for an execution unit.
    [[nodiscard]] bool waits_for_memory(unsigned warp, register_mask operands) const noexcept {
        return (warps_[warp].memory & operands) != 0;
    }
    /// The same of a load of constants.
    [[nodiscard]] bool waits_for_constants(unsigned warp, register_mask operands) const noexcept {
        return (warps_[warp].constants & operands) != 0;
    }
    /// Of the operands that a blocked instruction lacks, those that say what it waits for: memory,
    /// else constants, else results of units.
    [[nodiscard]] register_mask decisive(unsigned warp, register_mask operands) const noexcept {
        const waiting& w = warps_[warp];
        if ((w.memory & operands) != 0) return w.memory & operands;
        return ((w.constants & operands) != 0 ? w.constants : w.pending) & operands;
    }
    [[nodiscard]] register_mask pending(unsigned warp) const noexcept {
        return warps_[warp].pending;
    }
    /// Warps with a register that waits.
    [[nodiscard]] protocol::warp_mask in_flight() const noexcept { return in_flight_; }

    void set(unsigned warp, unsigned index) noexcept {
        warps_[warp].pending |= register_bit(index);
        in_flight_ |= protocol::warp_mask{1} << warp;
    }
    /// `constants`: the result is one of a load of constants.
    void set_memory(unsigned warp, unsigned index, bool constants = false) noexcept {
        set(warp, index);
        waiting& w = warps_[warp];
        (constants ? w.constants : w.memory) |= register_bit(index);
    }
    void clear(unsigned warp, unsigned index) noexcept {
        warps_[warp].pending &= ~register_bit(index);
        warps_[warp].memory &= ~register_bit(index);
        warps_[warp].constants &= ~register_bit(index);
        in_flight_ &= ~(protocol::warp_mask{warps_[warp].pending == 0} << warp);
    }
    void reset(unsigned warp) noexcept {
        warps_[warp] = {};
        in_flight_ &= ~(protocol::warp_mask{1} << warp);
    }

private:
    struct waiting {
        register_mask pending = 0;
        register_mask memory = 0;     ///< of these
        register_mask constants = 0;  ///< of `pending`, too
    };
    std::array<waiting, protocol::maximum_warps> warps_{};
    protocol::warp_mask in_flight_ = 0;
};

}  // namespace heddle
