// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/smx/l1/l1_data_cache.h"

namespace heddle {

/// The wait of the oldest instruction for an access that was refused, and the cycles of all such
/// waits by cause. The access is tried again when something has changed or requests have got away;
/// every cycle until then counts.
class reservation_wait {
public:
    [[nodiscard]] bool waiting() const noexcept { return waiting_; }
    [[nodiscard]] reservation_fail cause() const noexcept { return cause_; }

    /// The access of `edge` was refused. `room`: requests that memory would have taken.
    void begin(reservation_fail cause, unsigned room, std::uint64_t edge) noexcept {
        waiting_ = true;
        changed_ = false;
        cause_ = cause;
        room_ = room;
        since_ = edge;
    }
    /// A line has come or is gone: what was refused may be possible now.
    void note_change() noexcept { changed_ = true; }
    /// Whether there is no reason to wait any longer; ends the wait then. Precondition: waiting().
    [[nodiscard]] bool over(unsigned room, std::uint64_t edge) noexcept {
        if (!changed_ && room <= room_) return false;
        fails_[static_cast<std::size_t>(cause_)] += edge - since_;
        waiting_ = false;
        return true;
    }

    /// Cycles before `edge` that were spent waiting for this cause.
    [[nodiscard]] std::uint64_t cycles(reservation_fail cause, std::uint64_t edge) const noexcept {
        const std::uint64_t ongoing =
            waiting_ && cause_ == cause && edge > since_ ? edge - since_ : 0;
        return fails_[static_cast<std::size_t>(cause)] + ongoing;
    }

private:
    bool waiting_ = false;
    bool changed_ = false;  ///< since begin()
    reservation_fail cause_{};
    unsigned room_ = 0;
    std::uint64_t since_ = 0;  ///< edge up to which fails_ accounts
    std::array<std::uint64_t, reservation_fail_count> fails_{};
};

}  // namespace heddle
