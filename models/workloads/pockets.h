// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/workloads/child_launch.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pocket_limits.h"

namespace heddle::workloads {

/// Options of every workload whose threads find pockets of parallelism. An options struct derives
/// from it. The defaults are the form of the programs of Wang et al., "Dynamic Thread Block
/// Launch", ISCA 2015, whose sources are public in part: grids of parents fill a K20c once.
struct pocket_options : child_options {
    std::uint32_t parents = 104;
    std::uint32_t block = 256;
    std::uint32_t child_block = 32;
    bool whole_blocks = true;

    void declare(parameter_list& p) {
        child_options::declare(p);
        p.add("parents", parents, range(0, 65535), "block",
              "Blocks of a grid of parents, whose threads stride over the items; 0: as many as "
              "have a thread for each item");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block of parents");
        p.add("child_block", child_block, range(1, 1024), "thread",
              "Threads in a block of a child (modes cdp and dtbl)");
        p.add("whole_blocks", whole_blocks,
              "A child gets as many items as fill whole blocks, and its parent does the rest; "
              "false: it gets all");
    }
    /// Of parents that share `items` items.
    [[nodiscard]] launch_shape grid_of_parents(std::uint32_t items) const {
        launch_shape shape = grid_over(items, block);
        if (parents != 0) shape.grid.x = parents;
        return shape;
    }
    [[nodiscard]] pockets::limits limits() const {
        return {threshold, child_block, whole_blocks ? 1U : 0U};
    }
};

}  // namespace heddle::workloads
