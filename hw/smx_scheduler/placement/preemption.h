// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/smx_scheduler/placement/preemption_counts.h"
#include "models/base/strong_index.h"

namespace heddle {

/// The SMX scheduler's account of preemption (coop.preempt): which launch's blocks are on which
/// SMX, which of them have been told to leave, and how many are away. Without coop.preempt it keeps
/// none, and no block leaves for a launch of higher priority.
///
/// All blocks of one launch leave at a time, of the lowest priority first. They come back when no
/// launch of higher priority is left, in the order in which they have left, and before all launches
/// of their priority and below. Without SystemC. O(log launches) a block.
class preemption {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    preemption(unsigned smx_count, unsigned blocks_per_smx, bool enabled = true);

    [[nodiscard]] bool enabled() const noexcept { return enabled_; }

    /// A block goes to its place on an SMX, for the first time or again.
    void placed(const protocol::block_dispatch& block, std::uint64_t edge);
    /// The block waits for its return from now on, also if it has not been on an SMX yet.
    void goes_away(launch_id of);
    /// It waits no longer; it is placed() then.
    void comes_back(launch_id of);
    /// A block has left its SMX; goes_away() comes before, if it was preempted.
    void left(const protocol::block_dispatch& block, std::uint64_t edge);

    /// The launch whose blocks leave for one of this priority: it has blocks on SMXs, and of these
    /// it has the lowest priority, which is lower. Null: there is none.
    [[nodiscard]] launch_ptr victim(std::uint32_t priority) const;
    /// All blocks of a launch are told to leave. Returns the SMXs that have any.
    std::vector<sm_id> tell(const launch_ptr& launch, std::uint64_t edge);
    /// The block there has been told to leave, and has not done so.
    [[nodiscard]] bool leaving(sm_id sm, block_slot slot) const {
        return places_[sm][slot.value()].leaving;
    }
    /// Blocks that have been told to leave, and have not done so.
    [[nodiscard]] std::uint32_t leaving() const noexcept { return leaving_; }

    /// Blocks that wait for their return.
    [[nodiscard]] std::uint32_t away() const noexcept { return away_; }
    /// Of the launches with blocks on SMXs; 0 without any.
    [[nodiscard]] std::uint32_t highest_priority() const;
    /// A block of this priority, or a higher one, is away or leaves.
    [[nodiscard]] bool stops(std::uint32_t priority) const;

    [[nodiscard]] const preemption_counts& counts() const noexcept { return counts_; }

private:
    struct place {
        launch_id launch;  ///< none: free
        bool leaving = false;
    };
    struct launch_state {
        launch_ptr launch;
        std::uint32_t present = 0;  ///< blocks on SMXs
        std::uint32_t leaving = 0;  ///< of these
        std::uint32_t away = 0;
        std::uint64_t told = 0;     ///< edge at which they were told to leave, the last time
        std::uint64_t stopped = 0;  ///< the first time since all were there
        bool complete = true;       ///< none leaves or is away
    };

    void settle(launch_id launch, std::uint64_t edge);

    const bool enabled_;
    strong_vector<sm_id, std::vector<place>> places_;
    std::map<launch_id, launch_state> launches_;  ///< with blocks on SMXs or away
    std::uint32_t leaving_ = 0;
    std::uint32_t away_ = 0;
    preemption_counts counts_;
};

}  // namespace heddle
