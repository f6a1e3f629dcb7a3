// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/link.h"
#include "hw/smx/smx_configuration.h"
#include "models/base/bits.h"

namespace heddle {

/// The state of a warp slot, as the schedulers see it.
enum class warp_state : std::uint8_t {
    ready_integer,  // the ready states are those of unit_class, in its order: the unit that the
                    // next instruction needs
    ready_constants = unit_class_count,  ///< for a load of constants
    waits_for_memory,
    waits_for_constants,
    waits_for_result,
    waits_for_fetch,
    waits_at_barrier,
    absent,  ///< no live warp in the slot
};
inline constexpr unsigned warp_state_count = static_cast<unsigned>(warp_state::absent) + 1;

[[nodiscard]] constexpr warp_state ready_for(unit_class unit) noexcept {
    return static_cast<warp_state>(unit);
}
[[nodiscard]] constexpr bool is_ready(warp_state state) noexcept {
    return state < warp_state::waits_for_memory;
}

/// The state of every warp slot, and the slots of every state as a mask. Events change both, so no
/// cycle looks at all warps.
class warp_states {
public:
    explicit warp_states(unsigned warps) noexcept {
        states_.fill(warp_state::absent);
        masks_[index(warp_state::absent)] = bits::below(warps);
    }

    void set(unsigned warp, warp_state state) noexcept {
        const protocol::warp_mask bit = protocol::warp_mask{1} << warp;
        masks_[index(states_[warp])] &= ~bit;
        masks_[index(state)] |= bit;
        states_[warp] = state;
        ready_ = is_ready(state) ? ready_ | bit : ready_ & ~bit;
    }
    [[nodiscard]] warp_state of(unsigned warp) const noexcept { return states_[warp]; }
    [[nodiscard]] protocol::warp_mask in(warp_state state) const noexcept {
        return masks_[index(state)];
    }
    [[nodiscard]] protocol::warp_mask ready() const noexcept { return ready_; }
    /// Ready warps whose next instruction is for memory, loads of constants included.
    [[nodiscard]] protocol::warp_mask ready_for_memory() const noexcept {
        return in(ready_for(unit_class::memory)) | in(warp_state::ready_constants);
    }
    /// Warps that wait for data of a load.
    [[nodiscard]] protocol::warp_mask waiting_for_data() const noexcept {
        return in(warp_state::waits_for_memory) | in(warp_state::waits_for_constants);
    }
    /// Ready warps whose unit is in `units`, one bit per unit_class, and one for loads of
    /// constants.
    [[nodiscard]] protocol::warp_mask ready_for_any(std::uint32_t units) const noexcept {
        protocol::warp_mask found = ready_;
        for (std::uint32_t others = all_units & ~units; others != 0; others &= others - 1) {
            found &= ~masks_[static_cast<unsigned>(__builtin_ctz(others))];
        }
        return found;
    }

private:
    static constexpr std::uint32_t all_units = (1u << (unit_class_count + 1)) - 1;

    static constexpr unsigned index(warp_state state) noexcept {
        return static_cast<unsigned>(state);
    }
    protocol::warp_mask ready_ = 0;
    std::array<protocol::warp_mask, warp_state_count> masks_{};
    std::array<warp_state, protocol::maximum_warps> states_;
};

}  // namespace heddle
