// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"

namespace heddle {

/// Keys `motrr.`.
struct motrr_configuration {
    memory_classification classify = memory_classification::opcode;

    void declare(parameter_list& p) {
        p.add("motrr.classify", classify,
              {{"opcode", memory_classification::opcode},
               {"last_window", memory_classification::last_window}},
              "What mto, motrr and motrr_recency take for a memory instruction: opcode = every "
              "load, store and atomic; last_window = an instruction whose last execution went to "
              "global memory");
    }
};

/// What the policies share in which warps with a memory instruction go first.
struct memory_first : selection_events {
    using configuration = motrr_configuration;

    static constexpr bool shows_queues = true;
    static memory_classification classification(const warp_scheduler_configuration& c) {
        return c.policies.of<motrr_configuration>().classify;
    }
};

}  // namespace heddle
