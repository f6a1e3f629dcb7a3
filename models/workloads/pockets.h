// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/workloads/child_launch.h"

namespace heddle::workloads {

/// Options of every workload whose threads find pockets of parallelism. An options struct derives
/// from it.
struct pocket_options : child_options {
    std::uint32_t child_block = 32;

    void declare(parameter_list& p) {
        child_options::declare(p);
        p.add("child_block", child_block, range(1, 1024), "thread",
              "Threads in a block of a child (modes cdp and dtbl)");
    }
};

}  // namespace heddle::workloads
