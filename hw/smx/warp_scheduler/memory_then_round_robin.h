// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/warp_scheduler/loose_round_robin.h"
#include "hw/smx/warp_scheduler/memory_first.h"
#include "hw/smx/warp_scheduler/warp_age.h"
#include "hw/smx/warp_scheduler/warp_selection.h"

namespace heddle {

/// `motrr` (Kim, Kim, Kim 2019): the oldest of the warps whose next instruction is a memory
/// instruction. If none of them can issue (perhaps because the memory pipeline takes nothing), the
/// other warps take turns, from the slot after the one that issued last.
class memory_then_round_robin : public memory_first {
public:
    static constexpr const char* name = "motrr";
    static constexpr const char* description =
        "warps with a memory instruction by age, then the others in round robin";

    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        const std::uint64_t memory = in.issuable & in.memory;
        return memory != 0 ? age_.oldest(memory) : turns_.next(in.issuable);
    }
    void gone(unsigned warp) noexcept { age_.gone(warp); }
    void started(unsigned warp) noexcept { age_.started(warp); }
    void issued(unsigned warp) noexcept { turns_.issued(warp); }

private:
    warp_age age_;
    loose_round_robin turns_;
};

}  // namespace heddle
