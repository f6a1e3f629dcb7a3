// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/smx/issue/thread_flights.h"
#include "hw/smx/pipeline/event_wheel.h"
#include "models/base/bits.h"

namespace heddle {

/// Groups of threads that wait at the barrier of their block: until all threads of the block have
/// arrived, and then for smx.barrier_latency, but at least until the results of their barrier
/// instructions.
class thread_barriers {
public:
    thread_barriers(unsigned blocks, std::uint32_t latency) : latency_(latency), blocks_(blocks) {}

    /// A group of the block arrives; its instruction is over at `result`.
    void wait(unsigned block, thread_flight_index flight, std::uint64_t result) {
        waiting_.push_back({block, flight});
        blocks_[block].result = std::max(blocks_[block].result, result);
    }
    /// The block leaves, and its groups with it: its barrier is not complete.
    void forget(unsigned block) {
        blocks_[block].result = 0;
        waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                      [&](const entry& e) { return e.block == block; }),
                       waiting_.end());
    }
    [[nodiscard]] bool is_complete(unsigned block) const noexcept {
        return bits::test(complete_, block);
    }
    /// The barrier of the block is complete at `edge`.
    void complete(unsigned block, std::uint64_t edge) noexcept {
        state& s = blocks_[block];
        s.due = std::max(edge + latency_, s.result);
        s.result = 0;
        complete_ |= bits::one(block);
    }
    /// Calls released(flight) for each group that may go on from `edge` on, in the order in which
    /// they arrived.
    template <class Released>
    void release(std::uint64_t edge, Released&& released) {
        if (complete_ == 0) return;
        std::uint64_t now = 0;
        bits::for_each(complete_, [&](unsigned block) {
            if (blocks_[block].due <= edge) now |= bits::one(block);
        });
        if (now == 0) return;
        complete_ &= ~now;
        std::size_t kept = 0;
        for (const entry& e : waiting_) {
            if (bits::test(now, e.block)) {
                released(e.flight);
            } else {
                waiting_[kept++] = e;
            }
        }
        waiting_.resize(kept);
    }
    /// Edge of the next release; event_wheel_limits::never if no barrier is complete.
    [[nodiscard]] std::uint64_t next_due() const noexcept {
        std::uint64_t first = event_wheel_limits::never;
        bits::for_each(complete_,
                       [&](unsigned block) { first = std::min(first, blocks_[block].due); });
        return first;
    }

private:
    struct entry {
        unsigned block;
        thread_flight_index flight;
    };
    struct state {
        std::uint64_t result = 0;  ///< edge of the last result of those that wait
        std::uint64_t due = 0;     ///< if complete
    };

    const std::uint32_t latency_;
    std::vector<state> blocks_;
    std::vector<entry> waiting_;
    std::uint64_t complete_ = 0;
};

}  // namespace heddle
