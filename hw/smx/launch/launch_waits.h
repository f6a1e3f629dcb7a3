// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <utility>

#include "hw/protocol/link.h"
#include "models/base/bits.h"

namespace heddle {

/// The warps of an SMX that wait for their launch instruction or transaction: between the unit that
/// ends the wait, and the issue stage. And those that are held, as their block has to leave.
class launch_waits {
public:
    void wait(unsigned warp) noexcept { waiting_ |= bits::one(warp); }
    /// The instruction of the warp is done, and its result is in the registers.
    void done(unsigned warp) noexcept {
        waiting_ &= ~bits::one(warp);
        done_ |= bits::one(warp);
    }
    /// The warp issues nothing until it leaves its slot, or goes on.
    void hold(unsigned warp) noexcept { held_ |= bits::one(warp); }
    void go_on(unsigned warp) noexcept { held_ &= ~bits::one(warp); }
    /// The warp leaves its slot.
    void forget(unsigned warp) noexcept {
        waiting_ &= ~bits::one(warp);
        held_ &= ~bits::one(warp);
    }
    [[nodiscard]] protocol::warp_mask waiting() const noexcept { return waiting_; }
    [[nodiscard]] protocol::warp_mask held() const noexcept { return held_; }
    /// Warps that wait no longer, since the last call.
    [[nodiscard]] protocol::warp_mask take_done() noexcept { return std::exchange(done_, 0); }

private:
    protocol::warp_mask waiting_ = 0;
    protocol::warp_mask done_ = 0;
    protocol::warp_mask held_ = 0;
};

}  // namespace heddle
