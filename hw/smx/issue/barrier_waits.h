// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/base/ring.h"
#include "hw/smx/pipeline/warp_waits.h"

namespace heddle {

/// The end of waits at barriers: smx.barrier_latency after all threads of a block have arrived.
class barrier_waits {
public:
    /// At most `blocks` barriers are complete at a time. `latency`: edges, at least 1.
    barrier_waits(std::size_t blocks, std::uint32_t latency, warp_waits& waits)
        : latency_(latency), waits_(waits), complete_(blocks) {}

    /// Those of the warps that wait at their barrier pass it: it is complete at `edge`.
    void complete(protocol::warp_mask warps, std::uint64_t edge) {
        warps &= waits_.waiting(wait_reason::barrier);
        if (warps == 0) return;
        waits_.change(wait_reason::barrier, wait_reason::passing, warps);
        complete_.push({warps, edge + latency_});
    }
    /// Ends the waits of warps that may go on from `edge` on.
    void release(std::uint64_t edge) {
        while (next_due() <= edge) waits_.end(wait_reason::passing, complete_.pop().warps);
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
    warp_waits& waits_;
    ring<complete_barrier> complete_;
};

}  // namespace heddle
