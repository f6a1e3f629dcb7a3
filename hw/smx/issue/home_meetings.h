// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/smx/issue/thread_flights.h"
#include "models/base/bits.h"

namespace heddle {

/// Threads of a pool at an instruction that home warps execute: votes, shuffles, launch calls. They
/// wait for the other threads of their home warp, wherever those are, until each of them waits so,
/// too, or at the barrier of the block, or has ended. Then those at the lowest PC execute together:
/// in the order of the code, as threads that reconverge would. Calls go before votes and shuffles,
/// which need the threads that call: the start of a loop has a lower PC than what its last turn
/// calls.
class home_meetings {
public:
    explicit home_meetings(unsigned warps) : homes_(warps) {}

    /// Threads of a home warp come to such an instruction; `flight` has no others. `exchanges`: it
    /// is a vote or shuffle.
    void come(unsigned warp, isa::lane_mask home_lanes, std::uint32_t pc,
              thread_flight_index flight, bool exchanges) {
        homes_[warp].waiting.push_back({exchanges, pc, home_lanes, flight});
        homes_[warp].rest |= home_lanes;
        waiting_ |= bits::one(warp);
        look(warp);
    }
    /// Threads of a home warp wait at the barrier of their block.
    void rest(unsigned warp, isa::lane_mask home_lanes) {
        homes_[warp].rest |= home_lanes;
        look(warp);
    }
    /// They wait no longer.
    void go_on(unsigned warp, isa::lane_mask home_lanes) { homes_[warp].rest &= ~home_lanes; }
    /// Threads of the home warp have ended.
    void look(unsigned warp) noexcept { look_ |= bits::one(warp); }
    /// The home warp leaves its slot.
    void forget(unsigned warp) {
        homes_[warp] = {};
        waiting_ &= ~bits::one(warp);
    }

    /// Calls f(home warp) for each that may execute now; `live(home warp)`: its live threads.
    template <class Live, class Function>
    void complete(Live&& live, Function&& f) {
        bits::for_each(std::exchange(look_, 0) & waiting_, [&](unsigned warp) {
            if ((live(warp) & ~homes_[warp].rest) == 0) f(warp);
        });
    }
    /// Takes the threads that execute; their flights are `called(warp)` then.
    struct meeting {
        std::uint32_t pc = 0;
        isa::lane_mask lanes = 0;  ///< home lanes
    };
    meeting take(unsigned warp) {
        home& of = homes_[warp];
        const auto first = std::min_element(
            of.waiting.begin(), of.waiting.end(), [](const entry& a, const entry& b) {
                return std::tie(a.exchanges, a.pc) < std::tie(b.exchanges, b.pc);
            });
        meeting found{first->pc, 0};
        of.called.clear();
        std::size_t kept = 0;
        for (const entry& e : of.waiting) {
            if (e.pc != found.pc) {
                of.waiting[kept++] = e;
                continue;
            }
            found.lanes |= e.lanes;
            of.called.push_back(e.flight);
        }
        of.waiting.resize(kept);
        if (kept == 0) waiting_ &= ~bits::one(warp);
        of.rest &= ~found.lanes;
        of.lanes = found.lanes;
        return found;
    }
    /// The flights of the last take() of a home warp, and their threads.
    [[nodiscard]] const std::vector<thread_flight_index>& called(unsigned warp) const {
        return homes_[warp].called;
    }
    [[nodiscard]] isa::lane_mask called_lanes(unsigned warp) const { return homes_[warp].lanes; }
    /// Threads that wait here or at the barrier.
    [[nodiscard]] isa::lane_mask resting(unsigned warp) const { return homes_[warp].rest; }

private:
    struct entry {
        bool exchanges;
        std::uint32_t pc;
        isa::lane_mask lanes;
        thread_flight_index flight;
    };
    struct home {
        isa::lane_mask rest = 0;
        isa::lane_mask lanes = 0;
        std::vector<entry> waiting;
        std::vector<thread_flight_index> called;
    };

    std::vector<home> homes_;
    protocol::warp_mask waiting_ = 0;  ///< home warps with threads that wait here
    protocol::warp_mask look_ = 0;     ///< home warps of which something has changed
};

}  // namespace heddle
