// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/smx/blocks/block_table.h"
#include "hw/smx/divergence/formation.h"
#include "hw/smx/execute/instruction_executor.h"
#include "hw/smx/fetch/warp_paths.h"
#include "hw/smx/issue/fences.h"
#include "hw/smx/issue/scheduler_ports.h"
#include "hw/smx/pipeline/warp_waits.h"

namespace heddle {

/// Where a warp goes when its instruction has been executed: to the next PC of its group, along its
/// formation where threads part, meet or end, or into a wait.
class outcome_follower {
public:
    /// What knows where a warp is; all of it outlives the object.
    struct parts {
        warp_paths& paths;
        block_table& blocks;
        load_store_unit& lsu;
        warp_waits& waits;
        warp_events& events;
    };
    outcome_follower(std::unique_ptr<formation> groups, std::uint32_t stack_entries,
                     const parts& of)
        : of_(of),
          stack_entries_(stack_entries),
          formation_(std::move(groups)),
          fences_(of.waits) {}

    /// A cycle begins.
    void begin() noexcept { turned_ = 0; }
    /// The instruction of `lanes` of the warp has been executed.
    void follow(unsigned warp, const execution_outcome& outcome, isa::lane_mask lanes);
    /// Warps of this cycle that may have left the straight path.
    [[nodiscard]] protocol::warp_mask turned() const noexcept { return turned_; }

    [[nodiscard]] formation& groups() noexcept { return *formation_; }
    [[nodiscard]] fences& waits_at_fences() noexcept { return fences_; }

private:
    const parts of_;
    const std::uint32_t stack_entries_;
    std::unique_ptr<formation> formation_;
    fences fences_;
    protocol::warp_mask turned_ = 0;
};

}  // namespace heddle
