// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/warp_profile.h"

namespace heddle {

namespace {

/// Causes that an instruction may have which has issued already.
constexpr bool follows_issue(cycle_cause cause) noexcept {
    switch (cause) {
        case cycle_cause::memory:
        case cycle_cause::fence:
        case cycle_cause::constants:
        case cycle_cause::dependency:
        case cycle_cause::barrier:
            return true;
        default:
            return false;
    }
}

}  // namespace

void warp_profile::issued(unsigned warp, std::uint32_t at, const isa::instruction& i,
                          isa::lane_mask lanes, const execution_outcome& outcome) noexcept {
    history& h = warps_[warp];
    h.last = at;
    h.writers[i.rd] = at;
    of_.profile.issued(at, bits::count(lanes), i.is_memory(), outcome.parts_lanes());
}

bool warp_profile::waits_in_last(unsigned warp, cycle_cause cause) const noexcept {
    if (!follows_issue(cause)) return false;
    return of_.barrel || bits::test(of_.waits.in_instructions(), warp);
}

void warp_profile::charge_idle(unsigned s, const idle_cause& why, std::uint64_t edge) noexcept {
    code_profile::charge to{why.cause, code_profile::nowhere, code_profile::nowhere};
    if (why.warps != 0) {
        const unsigned warp = bits::first(why.warps);
        if (waits_in_last(warp, why.cause)) {
            to.at = warps_[warp].last;
        } else if (of_.paths.in_code(warp, of_.paths.group(warp).pc)) {
            to.at = of_.paths.position(warp);
            if (follows_issue(why.cause)) to.result_of = missing_result(warp, to.at);
        }
    }
    of_.profile.charge_to(s, to, edge);
}

/// The instruction whose result the one at `at` lacks. Of several the first that decides about the
/// cause: data from memory, then constants, then results of units; of these the lowest register.
std::uint32_t warp_profile::missing_result(unsigned warp, std::uint32_t at) const noexcept {
    const register_mask missing = of_.results.decisive(warp, of_.table[at].operands);
    return missing == 0 ? code_profile::nowhere : warps_[warp].writers[bits::first(missing)];
}

}  // namespace heddle
