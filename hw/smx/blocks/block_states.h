// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/bits.h"

namespace heddle {

/// Where a block is in its life on an SMX. A block slot has exactly one state.
/// ```
///   free --> running --> draining --> free
///    |        |   ^         ^
///    |        v   |         |
///    |     at_call --> call_sent --> dying
///    |                    |   ^
///    |                    v   |
///    |                  must_leave
///    |                    |
///    |   (running, must_leave) --> leaving --> free
///    +--> coming --> running, call_sent
/// ```
enum class block_state : std::uint8_t {
    free,        ///< no block
    running,     ///< also: all its threads wait, at its barrier or for its children
    at_call,     ///< all threads have come to a cooperative call, which is to be sent
    call_sent,   ///< the answer has not come
    must_leave,  ///< the answer: the block has to leave the SMX, and asks again where it comes back
    dying,       ///< the answer: it ends at its call, when nothing of it is under way
    leaving,     ///< its state goes to memory
    coming,      ///< its state comes from memory
    draining,    ///< no thread lives; its accesses may be under way
};
inline constexpr unsigned block_state_count = static_cast<unsigned>(block_state::draining) + 1;

/// The state of every block slot, and the slots of every state as a mask.
class block_states {
public:
    explicit block_states(unsigned slots) : states_(slots, block_state::free) {
        slots_in_[0] = bits::below(slots);
    }

    void set(unsigned slot, block_state state) noexcept {
        slots_in_[index(states_[slot])] &= ~bits::one(slot);
        slots_in_[index(state)] |= bits::one(slot);
        states_[slot] = state;
    }
    [[nodiscard]] block_state of(unsigned slot) const noexcept { return states_[slot]; }
    [[nodiscard]] std::uint64_t in(block_state state) const noexcept {
        return slots_in_[index(state)];
    }

private:
    static constexpr unsigned index(block_state state) noexcept {
        return static_cast<unsigned>(state);
    }
    std::vector<block_state> states_;
    std::array<std::uint64_t, block_state_count> slots_in_{};
};

}  // namespace heddle
