// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/base/ring.h"
#include "hw/protocol/link.h"

namespace heddle {

/// Warps that wait at a barrier: until all threads of their block have arrived, and then for
/// smx.barrier_latency.
class barrier_waits {
public:
    /// At most `blocks` barriers are complete at a time. `latency`: edges, at least 1.
    barrier_waits(std::size_t blocks, std::uint32_t latency)
        : latency_(latency), complete_(blocks) {}

    void wait(unsigned warp) noexcept { waiting_ |= protocol::warp_mask{1} << warp; }
    /// The warp leaves its slot.
    void forget(unsigned warp) noexcept { waiting_ &= ~(protocol::warp_mask{1} << warp); }
    [[nodiscard]] protocol::warp_mask waiting() const noexcept { return waiting_; }
    /// The barrier of these warps is complete at `edge`.
    void complete(protocol::warp_mask warps, std::uint64_t edge) {
        if (warps != 0) complete_.push({warps, edge + latency_});
    }
    /// Warps that may go on from `edge` on; they wait no longer.
    [[nodiscard]] protocol::warp_mask take_released(std::uint64_t edge) {
        protocol::warp_mask released = 0;
        while (next_due() <= edge) released |= complete_.pop().warps;
        waiting_ &= ~released;
        return released;
    }
    /// Edge of the next release; ~0 if no barrier is complete.
    [[nodiscard]] std::uint64_t next_due() const noexcept {
        return complete_.empty() ? ~std::uint64_t{0} : complete_.front().due;
    }

private:
    struct complete_barrier {
        protocol::warp_mask warps = 0;
        std::uint64_t due = 0;
    };

    const std::uint32_t latency_;
    protocol::warp_mask waiting_ = 0;
    ring<complete_barrier> complete_;
};

}  // namespace heddle
