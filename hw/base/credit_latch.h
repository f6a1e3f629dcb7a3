// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/base/present.h"

namespace heddle {

/// Room of a queue as its sender sees it, so that a target may accept in the call itself.
///
/// take() decides on the room that the owner latched at an earlier instant. If sender and owner are
/// in different clock domains whose edges coincide, the answer does not depend on which of them
/// runs first. There is one sender.
class credit_latch {
public:
    explicit credit_latch(std::uint32_t room) noexcept : room_(room) {}

    /// From the owner's update(): the room that is left, items that have just been sent counted.
    void latch(std::uint32_t room) noexcept {
        const std::uint64_t now = present::ticks();
        if (latched_at_ != now) {
            before_ = room_;
            latched_at_ = now;
        }
        room_ = room;
    }
    /// What has been latched, less what was taken since. Between instants.
    [[nodiscard]] std::uint32_t room() const noexcept { return room_; }
    /// Called by the sender: uses `amount` credits if there are so many, else none.
    [[nodiscard]] bool take(std::uint32_t amount = 1) noexcept {
        if (latched_at_ == present::ticks()) {
            if (before_ < amount) {
                return false;
            }
            before_ -= amount;
        } else if (room_ < amount) {
            return false;
        }
        // The owner may have found less room at this instant than it had promised before.
        room_ -= std::min(room_, amount);
        return true;
    }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::uint32_t room_;
    std::uint32_t before_ = 0;  ///< room before latched_at_
    std::uint64_t latched_at_ = never;
};

}  // namespace heddle
