// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The lock-step simulation of a core that is not ours: what its records say beyond PC, lanes and
// result.
#include "models/iss/foreign/told.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/bits.h"
#include "models/iss/lockstep_base.h"

namespace heddle::iss {
namespace {

constexpr const char* access_names[] = {"no access", "a load", "a store", "an atomic"};
constexpr unsigned horizon_lasts = 256;  // stores

/// Lanes of `of` that go on at `pc`.
isa::lane_mask lanes_at(const simt::reconvergence_stack& stack, isa::lane_mask of,
                        std::uint32_t pc) {
    isa::lane_mask at = 0;
    isa::lane_mask left = of;
    const auto& entries = stack.entries();
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        if (entry->next_pc == pc) at |= entry->lanes & left;
        left &= ~entry->lanes;
    }
    return at;
}

}  // namespace

template <unsigned Lanes>
bool lockstep_base<Lanes>::check_encoding(const lockstep_step& s, const warp_type& w,
                                          const isa::instruction& i) {
    if (s.told == nullptr) return true;
    const heddle_retired& told = *s.told;
    const std::uint32_t rd = i.writes_register() ? i.rd : 0;
    std::string what;
    if (told.word != i.raw) {
        what = fmt::format("has the word 0x{:08x}; expected: 0x{:08x}", told.word, i.raw);
    } else if (told.rd != rd) {
        what = fmt::format("writes register {}; expected: {}", told.rd, rd);
    } else if (told.access != access_of(i)) {
        what = fmt::format("is {}; expected: {}", access_names[told.access],
                           access_names[access_of(i)]);
    } else {
        return true;
    }
    differ(s, w, bits::first(s.lanes), what);
    return false;
}

template <unsigned Lanes>
bool lockstep_base<Lanes>::check_told(const lockstep_step& s, const warp_type& w,
                                      const isa::instruction& i) {
    if (s.told == nullptr) return true;
    const heddle_retired& told = *s.told;
    const auto same_lanes = [&](const char* what, lane_mask found, lane_mask expected) {
        if (found == expected) return true;
        differ(s, w, bits::first(found ^ expected),
               fmt::format("{} 0x{:0{}x}; expected: 0x{:0{}x}", what, found, Lanes / 4, expected,
                           Lanes / 4));
        return false;
    };
    const auto same = [&](const char* what, std::uint32_t found, std::uint32_t expected) {
        if (found == expected) return true;
        differ(s, w, bits::first(s.lanes),
               fmt::format("{} 0x{:x}; expected: 0x{:x}", what, found, expected));
        return false;
    };
    if (told.fault != 0) {
        differ(s, w, bits::first(s.lanes), "faults; expected: no fault");
        return false;
    }
    if ((told.given & HEDDLE_GIVES_LIVE) != 0 &&
        !same_lanes("leaves the live lanes", told.live, w.state.live)) {
        return false;
    }
    const std::uint32_t target = s.pc + static_cast<std::uint32_t>(i.imm);
    const bool conditional = i.cls == isa::instruction_class::branch && target != s.pc + 4;
    if ((told.given & HEDDLE_GIVES_TAKEN) != 0 && conditional &&
        !same_lanes("is taken by the lanes", told.taken,
                    lanes_at(w.state.stack, s.lanes, target))) {
        return false;
    }
    if ((told.given & HEDDLE_GIVES_NEXT) == 0 || parts_.threads_apart) return true;
    const bool over = w.state.live == 0;
    const auto depth = over ? 0 : static_cast<std::uint32_t>(w.state.stack.entries().size());
    return same_lanes("goes on with the lanes", told.next_lanes,
                      over ? 0 : w.state.stack.top().lanes) &&
           (over || same("goes on at PC", told.next_pc, w.state.stack.top().next_pc)) &&
           same("leaves a stack of", told.depth, depth);
}

template <unsigned Lanes>
void lockstep_base<Lanes>::told_fault(const lockstep_step& s, const warp_type& w, unsigned lane,
                                      const std::string& refused) {
    if (s.told == nullptr) return;
    if (s.told->fault == 0) return differ(s, w, lane, "reports no fault; expected: " + refused);
    stop(error_kind::kernel_fault, text(s, w, lane, refused), place_of(s, w, lane));
}

template <unsigned Lanes>
std::uint64_t lockstep_base<Lanes>::horizon_of_warps() {
    if (horizon_age_++ % horizon_lasts != 0) return horizon_;
    horizon_ = ~std::uint64_t{0};
    for (const warp_type& w : warps_) {
        // One at a barrier goes on after the others have come to it.
        const bool runs =
            w.in != nullptr && w.state.live != 0 && w.state.state != warp_state::at_barrier;
        if (runs) horizon_ = std::min(horizon_, w.last_time);
    }
    return horizon_;
}

#define HEDDLE_INSTANTIATE(lanes)                                                              \
    template bool lockstep_base<lanes>::check_encoding(const lockstep_step&, const warp_type&, \
                                                       const isa::instruction&);               \
    template bool lockstep_base<lanes>::check_told(const lockstep_step&, const warp_type&,     \
                                                   const isa::instruction&);                   \
    template void lockstep_base<lanes>::told_fault(const lockstep_step&, const warp_type&,     \
                                                   unsigned, const std::string&);              \
    template std::uint64_t lockstep_base<lanes>::horizon_of_warps();
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
