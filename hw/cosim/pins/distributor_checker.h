// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/cosim/pins/distributor_pins.h"
#include "hw/cosim/pins/pin_checker.h"

namespace heddle::pins {

/// The rules of a Kernel Distributor's pins: those of its channels.
class distributor_checker final {
public:
    /// `name`: the hierarchical name of the block.
    distributor_checker(const std::string& name, pin_clock& clock, distributor_pins& pins,
                        std::uint64_t longest_wait)
        // A launch waits for a free entry, as long as the kernels before it run.
        : dispatch_(name + ".dispatch", clock, pins.dispatch, 0),
          start_(name + ".start", clock, pins.start, longest_wait),
          update_(name + ".update", clock, pins.update, update_credits, longest_wait),
          complete_(name + ".complete", clock, pins.complete, longest_wait) {}

private:
    channel_checker<kernel_pins> dispatch_;
    channel_checker<start_pins> start_;
    credit_checker<update_pins> update_;
    channel_checker<complete_pins> complete_;
};

}  // namespace heddle::pins
