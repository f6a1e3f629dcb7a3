// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/base/slot_registry.h"

namespace heddle {

/// What a slot needs, without SystemC: a clock that is set by hand, and a run status.
struct slot_rig {
    struct hand_clock final : cycle_counter {
        [[nodiscard]] std::string clock_name() const override { return "gpu.clock"; }
        [[nodiscard]] std::uint64_t cycle() const override { return now; }
        std::uint64_t now = 0;
    };

    template <class Traits>
    [[nodiscard]] slot_maker<Traits> maker(slot_registry<Traits> registry,
                                           slot_implementation which) {
        return {std::move(registry), which, 1, clock, status};
    }
    template <class Traits>
    [[nodiscard]] slot_maker<Traits> tlm(std::uint64_t run_seed = 1) {
        return {Traits::implementations(), slot_implementation::tlm, run_seed, clock, status};
    }

    hand_clock clock;
    run_status status;
};

}  // namespace heddle
