// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/warp_scheduler/memory_first.h"
#include "hw/smx/warp_scheduler/warp_age.h"
#include "hw/smx/warp_scheduler/warp_selection.h"

namespace heddle {

/// `mto`: the oldest of the warps whose next instruction is a memory instruction; if none of them
/// can issue, the oldest of the other warps. Age is the time of allocation, then the slot.
class memory_then_oldest : public memory_first {
public:
    static constexpr const char* name = "mto";
    static constexpr const char* description =
        "warps with a memory instruction first, the oldest first";

    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        const std::uint64_t memory = in.issuable & in.memory;
        return age_.oldest(memory != 0 ? memory : in.issuable);
    }
    void gone(unsigned warp) noexcept { age_.gone(warp); }
    void started(unsigned warp) noexcept { age_.started(warp); }

private:
    warp_age age_;
};

}  // namespace heddle
