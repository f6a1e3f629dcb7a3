// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "hw/smx/smx_configuration.h"

namespace heddle {

/// What a warp scheduler does in a cycle: it issues, or has a reason not to. If its warps wait for
/// different things, the first cause in this order counts.
enum class cycle_cause : std::uint8_t {
    issued,
    /// A warp is ready, but the unit that it needs takes nothing now. The units are in the order of
    /// unit_class. If several units are busy, the unit that the lowest slot needs counts.
    integer_busy,
    memory_busy = integer_busy + unit_class_count - 1,
    memory_stall,      ///< a warp is ready, but the queue of the load-store unit is full
    reservation_fail,  ///< the queue is full, and its oldest access waits for a cache
    constants_busy,    ///< a warp is ready, but the constant cache takes nothing
    writeback,         ///< a result waits for the write-back port and holds the pipeline
    held_back,         ///< warps could issue, but the policy holds all of them back
    formation,         ///< threads wait until a group of them has been formed
    memory,            ///< a warp waits for data
    fence,             ///< a warp waits at a fence for its accesses
    constants,         ///< a warp waits for a load of constants
    dependency,        ///< a warp waits for a result of an execution unit
    fetch,             ///< a warp's instruction buffer is empty
    barrier,           ///< all warps wait at a barrier
    no_warp,           ///< no warp is resident
};
inline constexpr std::size_t cycle_cause_count = static_cast<std::size_t>(cycle_cause::no_warp) + 1;

/// The names in statistics and waveforms.
inline constexpr const char* cycle_cause_names[] = {"issued",         "integer_busy",
                                                    "multiply_busy",  "divide_busy",
                                                    "floating_busy",  "floating_divide_busy",
                                                    "special_busy",   "memory_busy",
                                                    "memory_stall",   "reservation_fail",
                                                    "constants_busy", "writeback",
                                                    "held_back",      "formation",
                                                    "memory",         "fence",
                                                    "constants",      "dependency",
                                                    "fetch",          "barrier",
                                                    "no_warp"};
static_assert(std::size(cycle_cause_names) == cycle_cause_count);

[[nodiscard]] constexpr cycle_cause busy_cause(unit_class unit) noexcept {
    return static_cast<cycle_cause>(static_cast<unsigned>(cycle_cause::integer_busy) +
                                    static_cast<unsigned>(unit));
}

/// The CPI stack: cycles of each scheduler by cause. A cause holds from the edge where it is set
/// until it changes, so that the causes sum to cycles x schedulers, and a sleeping owner needs no
/// account of the cycles that it sleeps.
class cycle_account {
public:
    explicit cycle_account(unsigned schedulers) : current_(schedulers) {}

    /// From `edge` on, scheduler `scheduler` is in `cause`. Returns whether that is a change.
    bool set(unsigned scheduler, cycle_cause cause, std::uint64_t edge) noexcept {
        state& s = current_[scheduler];
        if (s.foreseen_at != never) s.arrive(edge);
        if (s.cause == cause) return false;
        s.change(cause, edge);
        return true;
    }
    /// From `edge` on, which is after `now`, scheduler `scheduler` will be in `cause`, unless set()
    /// says up to then what it is in.
    void foresee(unsigned scheduler, cycle_cause cause, std::uint64_t edge,
                 std::uint64_t now) noexcept {
        state& s = current_[scheduler];
        s.arrive(now + 1);
        if (s.cause == cause) return;
        s.foreseen = cause;
        s.foreseen_at = edge;
    }
    /// Of an owner that foresees nothing.
    [[nodiscard]] cycle_cause current(unsigned scheduler) const noexcept {
        return current_[scheduler].cause;
    }
    /// Cycles before `edge` in `cause`, of all schedulers.
    [[nodiscard]] std::uint64_t total(cycle_cause cause, std::uint64_t edge) const noexcept {
        std::uint64_t sum = 0;
        for (unsigned s = 0; s < current_.size(); ++s) sum += total(s, cause, edge);
        return sum;
    }
    /// The same for one scheduler.
    [[nodiscard]] std::uint64_t total(unsigned scheduler, cycle_cause cause,
                                      std::uint64_t edge) const noexcept {
        const state& s = current_[scheduler];
        std::uint64_t sum = s.totals[static_cast<std::size_t>(cause)];
        const std::uint64_t end = std::min(edge, s.foreseen_at);
        if (s.cause == cause && end > s.since) sum += end - s.since;
        if (s.foreseen == cause && edge > s.foreseen_at) sum += edge - s.foreseen_at;
        return sum;
    }

private:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    struct state {
        std::uint64_t since = 0;
        std::uint64_t foreseen_at = never;  ///< edge
        cycle_cause cause = cycle_cause::no_warp;
        cycle_cause foreseen = cycle_cause::no_warp;
        std::array<std::uint64_t, cycle_cause_count> totals{};

        void change(cycle_cause to, std::uint64_t edge) noexcept {
            totals[static_cast<std::size_t>(cause)] += edge - since;
            since = edge;
            cause = to;
        }
        /// What was foreseen for an edge before `edge` has come. Nothing is foreseen any more.
        void arrive(std::uint64_t edge) noexcept {
            if (foreseen_at < edge) change(foreseen, foreseen_at);
            foreseen_at = never;
        }
    };
    std::vector<state> current_;
};

}  // namespace heddle
