// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/base/pool.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/kernel_launch.h"
#include "models/base/dim3.h"
#include "models/base/strong_index.h"

namespace heddle {

/// SMX Scheduler Control Register (SSCR): the launch that is being distributed, and its next block
/// in linear order. Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 2.3 and 4.2, step 10.
/// Beside the paper's fields it holds what follows from them, and which SMXs the launch has been
/// to.
class control_register {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    explicit control_register(unsigned smx_count) : visited_((smx_count + 63) / 64) {}

    [[nodiscard]] bool valid() const noexcept { return static_cast<bool>(launch_); }
    /// The next block's launch; null unless valid.
    [[nodiscard]] const launch_ptr& launch() const noexcept { return launch_; }
    /// KDEI: the entry that the launch has joined.
    [[nodiscard]] kde_index kde() const noexcept { return kde_; }
    /// NextBL.
    [[nodiscard]] std::uint32_t next_block() const noexcept { return next_block_; }
    /// AGEI: the group that is distributed; null: the entry's own kernel.
    [[nodiscard]] group_index group() const noexcept { return group_; }
    /// Next of a group that has no entry in the AGT: a copy of what its record says.
    [[nodiscard]] group_index next_copy() const noexcept { return next_copy_; }
    void set_next_copy(group_index next) noexcept { next_copy_ = next; }
    [[nodiscard]] const dim3& position() const noexcept { return position_; }

    /// Begins with block 0 of a launch.
    void load(launch_ptr launch, kde_index kde, group_index group = null_group);
    /// The launch has `blocks` blocks only, at least one more than have been distributed.
    void shorten(std::uint32_t blocks) noexcept { blocks_ = blocks; }
    /// Blocks that have not been distributed.
    [[nodiscard]] std::uint32_t blocks_left() const noexcept { return blocks_ - next_block_; }
    /// Another launch goes first. A copy may go on later, if blocks have been distributed.
    void unload() noexcept;
    /// Whether the launch comes to this SMX for the first time.
    [[nodiscard]] bool visit(sm_id sm);
    /// The next block has been distributed. True if it was the last one: nothing is left then.
    [[nodiscard]] bool advance();

private:
    launch_ptr launch_;
    kde_index kde_;
    group_index group_ = null_group;
    group_index next_copy_ = null_group;
    std::uint32_t next_block_ = 0;
    dim3 position_{0, 0, 0};              ///< of next_block_
    std::uint32_t blocks_ = 0;            ///< of the grid
    std::vector<std::uint64_t> visited_;  ///< one bit per SMX
};

}  // namespace heddle
