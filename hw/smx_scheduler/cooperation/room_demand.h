// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx_scheduler/chain/launch_order.h"
#include "hw/smx_scheduler/cooperation/forked_blocks.h"
#include "hw/smx_scheduler/placement/block_room.h"
#include "hw/smx_scheduler/placement/distribution_counts.h"
#include "hw/smx_scheduler/placement/preemption.h"
#include "hw/smx_scheduler/placement/returning_blocks.h"
#include "models/simt/cooperation_context.h"

namespace heddle {

/// How much room others want of cooperative launches, and how much is free for more blocks of
/// these. It looks at what the SMX scheduler's other parts own, and keeps nothing.
class room_demand {
public:
    /// All of it outlives the object.
    struct parts {
        const launch_order& order;
        const launch_progress& progress;
        const block_room& room;
        const returning_blocks& returning;
        const forked_blocks& forked;
        const preemption& preempted;
        const distribution_counts& counts;
    };
    explicit room_demand(const parts& of) : of_(of) {}

    /// Blocks that those who come back, or the launch being distributed, have no room for.
    /// `dying`: blocks that are about to end.
    [[nodiscard]] std::uint32_t wanted(std::uint32_t dying) const;
    /// What a launch that could still start `most` blocks is offered.
    [[nodiscard]] simt::cooperation_terms terms(const protocol::kernel_launch& of,
                                                std::uint32_t most, std::uint32_t dying) const;

private:
    [[nodiscard]] std::uint32_t lacking(const protocol::kernel_launch& of, std::size_t blocks,
                                        std::uint32_t dying) const;
    [[nodiscard]] bool preempts(std::uint32_t priority) const;

    const parts of_;
};

}  // namespace heddle
