// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle::pins {

/// Of all blocks behind pins, keys `pins.`.
struct pin_configuration {
    bool check = true;
    std::uint32_t stalls = 0;
    std::uint64_t longest_wait = 100'000;
    std::uint32_t reset_clocks = 1;

    void declare(parameter_list& p) {
        p.add("check", check, "Checks the rules of the pins of blocks behind pins");
        p.add("stalls", stalls, range(0, 99), "%",
              "Share of the clocks in which a transactor holds back a pin handshake at random; the "
              "seed is the run's")
            .smaller_is_better();
        p.add("longest_wait", longest_wait, range(0, 1'000'000'000), "cycle",
              "Clocks that a pin handshake may wait before pins.check reports it; 0: any number");
        p.add("reset_clocks", reset_clocks, range(1, 1000), "cycle",
              "Rising clock edges with rst_n low at the start, for RTL behind pins");
    }
};

}  // namespace heddle::pins
