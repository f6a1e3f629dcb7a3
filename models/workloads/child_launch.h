// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle::workloads {

/// When a thread launches children, the same for all workloads that do. Options structs nest it:
/// `children.declare(p)`.
struct child_options {
    std::uint32_t threshold = 32;

    void declare(parameter_list& p) {
        p.add(
            "threshold", threshold, range(1, 1 << 20), "thread",
            "Threads of work from which on a thread launches a child for it (modes cdp and dtbl)");
    }
};

}  // namespace heddle::workloads
