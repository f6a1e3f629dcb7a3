// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/pool.h"
#include "hw/smx_scheduler/chain/launch_progress.h"
#include "hw/smx_scheduler/cooperation/cooperation_side.h"
#include "hw/smx_scheduler/cooperation/forked_blocks.h"
#include "hw/smx_scheduler/distribution/smx_scheduler_waves.h"
#include "hw/smx_scheduler/placement/block_room.h"
#include "hw/smx_scheduler/placement/block_source.h"
#include "hw/smx_scheduler/placement/distribution_counts.h"
#include "hw/smx_scheduler/placement/preemption.h"
#include "hw/smx_scheduler/placement/returning_blocks.h"
#include "hw/smx_scheduler/placement/smx_ports.h"

namespace heddle {

/// Sends blocks to SMXs: a cycle asks the sources one after another, each until it has no block
/// that may go, or no room for it. A launch without room makes blocks of lower priority leave, if
/// they can.
class block_distribution {
public:
    /// What it works on; all of it outlives the object.
    struct parts {
        clocked& owner;
        block_room& room;
        smx_ports& smxs;
        const launch_progress& progress;
        preemption& preempted;
        cooperation_side& cooperation;
        forked_blocks& forked;
        returning_blocks& returning;
        distribution_counts& counts;
        smx_scheduler_waves& waves;
        unsigned blocks_per_cycle;
    };
    using sources = std::vector<block_source*>;

    /// `from`: the first one goes first.
    block_distribution(const parts& with, sources from)
        : with_(with), from_(std::move(from)), blocks_(with.owner.part_name() + ".blocks") {}

    void cycle();
    /// A block may go in the next cycle, as one has gone in this.
    [[nodiscard]] bool goes_on() const;
    /// No source has a block.
    [[nodiscard]] bool empty() const;

private:
    [[nodiscard]] bool place(block_source& from);
    void send(block_source& from, const protocol::launched_block& next,
              const block_room::place& at);
    void has_no_room(const protocol::launched_block& block, block_limit limit);
    void preempt(const preemption::launch_ptr& launch);

    const parts with_;
    const sources from_;
    pool<protocol::block_dispatch> blocks_;
    unsigned placed_ = 0;  ///< blocks of this cycle
};

}  // namespace heddle
