// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/warp_scheduler/loose_round_robin.h"
#include "hw/smx/warp_scheduler/memory_first.h"
#include "hw/smx/warp_scheduler/recency_register.h"
#include "hw/smx/warp_scheduler/warp_age.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/bits.h"

namespace heddle {

/// `motrr_recency` (Kim, Kim, Kim 2019): as `motrr`, but of the warps with a computation, those of
/// the recency group go first: their last memory instructions have completed most recently
/// (recency_register.h). The warps within the group take turns, and so do those outside.
class memory_then_recent : public memory_first {
public:
    static constexpr const char* name = "motrr_recency";
    static constexpr const char* description =
        "motrr, but warps whose memory instruction completed recently take their turns first";
    static constexpr bool shows_recency = true;

    static constexpr bool follows_smx = true;  // counters and W_active are the SMX's

    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        const std::uint64_t memory = in.issuable & in.memory;
        if (memory != 0) return age_.oldest(memory);
        const std::uint64_t recent = in.issuable & recency_.recent();
        return turns_.next(recent != 0 ? recent : in.issuable);
    }
    void gone(unsigned warp) noexcept {
        age_.gone(warp);
        recency_.gone(warp);
    }
    void started(unsigned warp) noexcept {
        age_.started(warp);
        recency_.started(warp);
    }
    void issued(unsigned warp) noexcept { turns_.issued(warp); }
    void look(const selection_inputs& in) noexcept { done_ = completions(in); }
    void edge() noexcept {
        for (; done_ != 0; done_ &= done_ - 1) recency_.completed(bits::first(done_));
    }

private:
    warp_age age_;
    loose_round_robin turns_;
    recency_register recency_;
    std::uint64_t done_ = 0;
};

}  // namespace heddle
