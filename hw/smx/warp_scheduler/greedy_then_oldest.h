// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/warp_scheduler/warp_age.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/bits.h"

namespace heddle {

/// `gto`: the warp that issued last, as long as it can issue; else the oldest issuable warp. Age is
/// the time of allocation, then the slot. The warp that issued last loses its priority when another
/// warp issues or when it ends, not in a cycle in which no warp can issue.
class greedy_then_oldest : public selection_events {
public:
    static constexpr const char* name = "gto";
    static constexpr const char* description =
        "greedy, then oldest: the last issued warp until it stalls, then the oldest";

    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        const std::uint64_t greedy = in.issuable & greedy_;
        return greedy != 0 ? bits::first(greedy) : age_.oldest(in.issuable);
    }
    void gone(unsigned warp) noexcept {
        age_.gone(warp);
        greedy_ &= ~(std::uint64_t{1} << warp);
    }
    void started(unsigned warp) noexcept { age_.started(warp); }
    void issued(unsigned warp) noexcept { greedy_ = std::uint64_t{1} << warp; }

private:
    warp_age age_;
    std::uint64_t greedy_ = 0;  ///< the warp that issued last, one bit or none
};

}  // namespace heddle
