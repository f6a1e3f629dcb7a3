// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/lockstep_base.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "models/base/bits.h"
#include "models/base/warp_slots.h"
#include "models/device/program_table.h"
#include "models/iss/interpreter.h"

namespace heddle::iss {

template <unsigned Lanes>
lockstep_base<Lanes>::lockstep_base(lockstep_parts parts)
    : parts_(std::move(parts)),
      slots_(warp_slots(parts_.machine)),
      warps_(std::size_t{parts_.machine.smx_count} * slots_) {}

template <unsigned Lanes>
bool lockstep_base<Lanes>::check_row(const lockstep_step& s, const warp_type& w, unsigned index,
                                     const std::uint32_t* row) {
    const std::uint32_t* const own = w.state.registers.x[index];
    if (std::memcmp(own, row, Lanes * sizeof *row) == 0) return true;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        const lane_mask untold = parts_.foreign ? ~s.lanes : 0;
        const lane_mask unknown = w.pending[index] | w.transaction.lost() | untold;
        if (own[lane] == row[lane] || (unknown >> lane & 1) != 0) continue;
        const bool active = (s.lanes >> lane & 1) != 0;
        differ(s, w, lane,
               fmt::format("leaves {} = 0x{:08x}{}; expected: 0x{:08x}", isa::register_name(index),
                           row[lane], active ? "" : " in a lane that is not active", own[lane]));
        return false;
    }
    return true;
}

template <unsigned Lanes>
std::string lockstep_base<Lanes>::text(const lockstep_step& s, const warp_type& w, unsigned lane,
                                       const std::string& what) const {
    const grid& g = *w.in->state.of;
    const program::kernel_code& code = g.launch.kernel->code;
    const std::string instruction =
        code.contains(s.pc) ? isa::disassemble(code.at(s.pc), s.pc) : "no instruction";
    // Slots of a core that is not ours are its own affair.
    const std::string who = parts_.foreign ? fmt::format("warp {} of block {}, lane {}, n = {}",
                                                         w.state.index, w.in->index, lane, s.number)
                                           : fmt::format("warp slot {}", s.slot);
    return fmt::format(
        "at cycle {}, SMX {}, {}: '{}' {}\n  at {}", s.time, s.sm, who, instruction, what,
        locate_lane(w.in->state, w.state, lane, s.pc).text(*g.launch.program->image));
}

template <unsigned Lanes>
void lockstep_base<Lanes>::differ(const lockstep_step& s, const warp_type& w, unsigned lane,
                                  const std::string& what) {
    stop(error_kind::wrong_result,
         "difference from the functional simulator " + text(s, w, lane, what),
         place_of(s, w, lane));
}

template <unsigned Lanes>
lockstep_place lockstep_base<Lanes>::place_of(const lockstep_step& s, const warp_type& w,
                                              unsigned lane) {
    return {w.in->state.of->launch.id, w.in->index, w.state.index, lane, s.number, s.pc};
}

template <unsigned Lanes>
void lockstep_base<Lanes>::stop(error_kind kind, const std::string& what,
                                const std::optional<lockstep_place>& at) {
    if (!stopped_) parts_.report(kind, what, at);
    stopped_ = true;
}

#define HEDDLE_INSTANTIATE(lanes) template class lockstep_base<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
