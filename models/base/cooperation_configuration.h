// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// Cooperative kernels, keys `coop.*` (docs/cooperative_kernels.md).
struct cooperation_configuration {
    /// Without it a cooperative launch runs as any other: all its blocks in turn, none ends early.
    bool enabled = true;
    /// A resizing barrier asks, when all have come, how many blocks are wanted; without it blocks
    /// offer themselves as they come.
    bool query_barrier = true;
    std::uint32_t latency = 20;
    /// A launch that has no room gets it from launches of lower priority: all blocks of one leave
    /// the machine through memory and come back behind it.
    bool preempt = false;

    void declare(parameter_list& p);
};

}  // namespace heddle
