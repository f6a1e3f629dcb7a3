// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/parameter.h"

namespace heddle {

/// Parameters of the SMX scheduler, keys `smx_scheduler.*`.
struct smx_scheduler_configuration {
    unsigned blocks_per_cycle = 1;

    void declare(parameter_list& p) {
        p.add("blocks_per_cycle", blocks_per_cycle, range(1, 64), "block",
              "Thread blocks that are distributed in one cycle, at most one to each SMX");
    }
};

}  // namespace heddle
