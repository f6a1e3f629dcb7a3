// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/smx/issue/pool_port.h"
#include "hw/smx/pipeline/execution_units.h"

namespace heddle {

/// What a warp scheduler that issues from a pool of threads keeps, and when a turn of it may differ
/// from the last one. `interval`: smx.issue_interval.
struct pool_scheduler {
    std::uint8_t pool = 0;
    std::uint64_t next_turn = 0;  ///< edge; the last turn was an interval before, if there was one

    /// The first turn that is not before `edge`.
    [[nodiscard]] std::uint64_t turn_from(std::uint64_t edge,
                                          std::uint64_t interval) const noexcept {
        if (edge <= next_turn) return next_turn;
        return next_turn + (edge - next_turn + interval - 1) / interval * interval;
    }
    /// Whether a turn at edge + 1, if there was one, might issue something.
    [[nodiscard]] bool may_issue(const pool_port& its, std::uint64_t edge) const noexcept {
        switch (its.issue().outcome) {
            case protocol::turn_outcome::issued:
                return next_turn <= edge + 1;
            case protocol::turn_outcome::unit_busy:
                return true;
            default:
                return its.next_change() <= edge + 1;
        }
    }
    /// First edge from which on a turn may differ from the last one, without an event from outside;
    /// ~0 if none. `accepting`: what takes an instruction now.
    [[nodiscard]] std::uint64_t next_change(const pool_port& its, std::uint32_t accepting,
                                            const execution_units& units,
                                            std::uint64_t interval) const noexcept {
        switch (its.issue().outcome) {
            case protocol::turn_outcome::issued:
                return next_turn;  // there may be others behind it in the pool
            case protocol::turn_outcome::unit_busy: {
                // A unit may be free again since the last call.
                if (accepting != its.accepting()) return 0;
                const std::uint64_t change =
                    std::min(its.next_change(), units.next_free(next_turn - interval));
                return change == execution_units::never ? change : turn_from(change, interval);
            }
            default:
                return its.next_change();
        }
    }
};

}  // namespace heddle
