// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/load_store_unit.h"

namespace heddle {

/// What the load-store unit takes, as the issue step sees it: at the step's beginning, and now,
/// when instructions have gone to it in this step.
class load_store_gate {
public:
    explicit load_store_gate(const load_store_unit& unit) noexcept : unit_(unit) {}

    /// Whether something has changed since the beginning of the last step.
    [[nodiscard]] bool has_changed() const noexcept { return differs(unit_.room()); }
    /// A step begins; whether something has changed since the last one began.
    bool begin() noexcept {
        now_ = unit_.room();
        if (!differs(now_)) return false;
        refused_ = unit_.blocked();
        at_begin_ = now_;
        return true;
    }
    /// An instruction went to the unit at `edge`.
    void sent(std::uint64_t edge) noexcept {
        now_ = {unit_.can_accept(), unit_.takes_constants(edge)};
    }

    [[nodiscard]] const load_store_room& now() const noexcept { return now_; }
    [[nodiscard]] const load_store_room& at_begin() const noexcept { return at_begin_; }
    /// The queue is full, and its oldest access waits for a cache.
    [[nodiscard]] bool refused() const noexcept { return refused_; }

private:
    [[nodiscard]] bool differs(const load_store_room& room) const noexcept {
        return room != at_begin_ || (!room.in_queue && unit_.blocked() != refused_);
    }

    const load_store_unit& unit_;
    load_store_room at_begin_;
    load_store_room now_;
    bool refused_ = false;
};

}  // namespace heddle
