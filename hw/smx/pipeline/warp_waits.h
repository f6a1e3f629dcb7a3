// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "hw/protocol/link.h"
#include "hw/smx/pipeline/cycle_account.h"
#include "hw/smx/pipeline/warp_states.h"
#include "models/base/bits.h"
#include "models/simt/progress_text.h"

namespace heddle {

/// What keeps a warp from its next instruction, beside operands and instructions that are not
/// there.
enum class wait_reason : std::uint8_t { launch, transaction, leaving, fence, barrier, passing };

/// A reason to wait: the state of a warp that waits for it, what a scheduler's cycle counts as that
/// has nothing else, and what the wait-for report says.
struct wait_row {
    warp_state state;
    cycle_cause cause;
    bool in_instruction;  ///< the warp is in an instruction that has issued
    const char* doing;
};
/// By wait_reason. A new reason is an enumerator, a line here, and the part that begins and ends
/// it.
inline constexpr std::array<wait_row, 6> wait_rows{{
    {warp_state::waits_for_memory, cycle_cause::memory, true, "waits for a launch"},
    {warp_state::waits_for_memory, cycle_cause::memory, true, "waits for its transaction"},
    {warp_state::waits_for_memory, cycle_cause::memory, false, "is to leave the SMX"},
    {warp_state::waits_for_memory, cycle_cause::fence, true, "waits at a fence for its accesses"},
    {warp_state::waits_at_barrier, cycle_cause::barrier, true, simt::at_barrier},
    {warp_state::waits_at_barrier, cycle_cause::barrier, true, simt::at_barrier},  // is complete
}};

/// Which warps of an SMX wait, and for what: between the parts that begin and end waits, and the
/// issue stage.
class warp_waits {
public:
    void begin(wait_reason reason, unsigned warp) noexcept {
        of(reason) |= bits::one(warp);
        sum_up();
    }
    /// The warps may go on, as far as this reason goes.
    void end(wait_reason reason, protocol::warp_mask warps) noexcept {
        of(reason) &= ~warps;
        ended_ |= warps;
        sum_up();
    }
    /// The warps wait for another reason from now on.
    void change(wait_reason from, wait_reason to, protocol::warp_mask warps) noexcept {
        of(from) &= ~warps;
        of(to) |= warps;
        sum_up();
    }
    /// The warp leaves its slot.
    void forget(unsigned warp) noexcept {
        for (protocol::warp_mask& each : waiting_) each &= ~bits::one(warp);
        sum_up();
    }

    [[nodiscard]] protocol::warp_mask waiting(wait_reason reason) const noexcept {
        return waiting_[static_cast<std::size_t>(reason)];
    }
    /// Those whose reason makes it their state.
    template <warp_state state>
    [[nodiscard]] protocol::warp_mask in() const noexcept {
        static_assert(state == warp_state::waits_for_memory ||
                      state == warp_state::waits_at_barrier);
        return state == warp_state::waits_for_memory ? for_memory_ : at_barrier_;
    }
    template <cycle_cause cause>
    [[nodiscard]] protocol::warp_mask counted_as() const noexcept {
        return any([](const wait_row& row) { return row.cause == cause; }, rows{});
    }
    /// Those that have not come past an instruction that they have issued.
    [[nodiscard]] protocol::warp_mask in_instructions() const noexcept {
        return any([](const wait_row& row) { return row.in_instruction; }, rows{});
    }
    /// What the warp does; null if it does not wait.
    [[nodiscard]] const char* doing(unsigned warp) const noexcept {
        for (std::size_t r = 0; r < wait_rows.size(); ++r) {
            if (bits::test(waiting_[r], warp)) return wait_rows[r].doing;
        }
        return nullptr;
    }
    /// Warps of which a wait has ended since the last call.
    [[nodiscard]] protocol::warp_mask take_ended() noexcept { return std::exchange(ended_, 0); }

private:
    [[nodiscard]] protocol::warp_mask& of(wait_reason reason) noexcept {
        return waiting_[static_cast<std::size_t>(reason)];
    }
    /// States are asked for with each instruction, waits begin and end seldom.
    void sum_up() noexcept {
        for_memory_ = any(
            [](const wait_row& row) { return row.state == warp_state::waits_for_memory; }, rows{});
        at_barrier_ = any(
            [](const wait_row& row) { return row.state == warp_state::waits_at_barrier; }, rows{});
    }
    /// Which rows count is known when this is compiled: what is left is an OR of their masks.
    template <class Which, std::size_t... row>
    [[nodiscard]] protocol::warp_mask any(Which which, std::index_sequence<row...>) const noexcept {
        return (... | (which(wait_rows[row]) ? waiting_[row] : 0));
    }
    using rows = std::make_index_sequence<wait_rows.size()>;

    std::array<protocol::warp_mask, wait_rows.size()> waiting_{};
    protocol::warp_mask for_memory_ = 0;
    protocol::warp_mask at_barrier_ = 0;
    protocol::warp_mask ended_ = 0;
};

}  // namespace heddle
