// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/pool.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/kernel_launch.h"
#include "models/base/dim3.h"
#include "models/device/newcomer.h"

namespace heddle::protocol {

/// Names no Kernel Distributor Entry.
inline constexpr kde_index no_kde{0xffffffff};

/// State of a block in memory.
struct saved_block {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;  ///< 0: there is none
};

/// A thread block of a launch: all that it takes along to an SMX, whether it goes there for the
/// first time or comes back, and by whichever way. Its place there is added at the SMX
/// (block_dispatch).
struct launched_block {
    launch_id launch{};
    kde_index kde{};                 ///< entry that counts the block; no_kde: it was suspended, or
                                     ///< its launch has no entry any more
    group_index group = null_group;  ///< AGEI; null: a block of the entry's own kernel
    pool_ptr<kernel_launch> kernel;  ///< what to run: the entry's kernel or a group
    std::uint32_t block = 0;         ///< linear block index in the grid
    dim3 position{0, 0, 0};          ///< blockIdx
    newcomer origin;                 ///< where a forked block starts; PC 0: at the kernel's entry
    bool resumed = false;            ///< it has been on an SMX, and goes on with its state
    context_id context{};            ///< names its private memory; a resumed block's stays its own
    saved_block saved;               ///< of a resumed one; `done` sets it if the block comes back
};

}  // namespace heddle::protocol
