// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/smx_scheduler/chain/launch_progress.h"

namespace heddle {

class group_side;

/// What an SMX scheduler does where kernels launch. An object of this very class is what it has
/// where only the host launches: no group joins an entry, no block waits without an SMX, and nobody
/// wants to hear of starts and ends.
class launching_kernels {
public:
    launching_kernels() = default;
    launching_kernels(const launching_kernels&) = delete;
    launching_kernels& operator=(const launching_kernels&) = delete;
    virtual ~launching_kernels() = default;

    /// The links and parts that there are; null: none.
    [[nodiscard]] virtual group_side* groups() noexcept { return nullptr; }

    /// The first block of a launch runs; it has waited from `launched` to `edge`.
    virtual void launch_starts(const protocol::kernel_launch& /*launch*/,
                               std::uint64_t /*launched*/, std::uint64_t /*edge*/) {}
    /// The last block of a launch, this one, has ended.
    virtual void launch_ends(const protocol::launched_block& /*last*/,
                             const launch_progress::state& /*was*/) {}
    /// Whether blocks may wait for their children without an SMX.
    [[nodiscard]] virtual bool suspends() const noexcept { return false; }
    /// A block does.
    virtual void suspended(const protocol::block_dispatch& /*block*/) {}

    // Of groups that have joined entries:
    /// Loads SSCR with a group. False until its record has come.
    [[nodiscard]] virtual bool load(kde_index /*entry*/, group_index /*group*/) { return false; }
    /// A block of the group has been distributed.
    virtual void start_block(group_index /*group*/) {}
    /// The last block of the group has been distributed; returns its Next.
    [[nodiscard]] virtual group_index exhaust(group_index /*group*/) { return null_group; }
    virtual void end_block(group_index /*group*/) {}
    /// An entry of the distributor is free.
    virtual void kernel_over(kde_index /*entry*/) {}
    /// Entries of the AGT in use, and groups that have found none so far.
    [[nodiscard]] virtual unsigned in_table() const noexcept { return 0; }
    [[nodiscard]] virtual std::uint64_t spilled() const noexcept { return 0; }

    [[nodiscard]] virtual bool idle() const noexcept { return true; }
    /// "; 3 aggregations under way", or nothing.
    [[nodiscard]] virtual std::string waiting_for() const { return {}; }
};

}  // namespace heddle
