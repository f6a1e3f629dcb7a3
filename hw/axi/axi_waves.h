// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/axi/pins.h"
#include "hw/base/waveform.h"
#include "hw/cosim/pins/pin_clock.h"

namespace heddle::axi {

/// Shows the pins of a bus in a waveform, as variables NAME.bus.aw_valid, ...: what was sampled at
/// each rising edge. The payload of a channel is that of its last VALID. Also clk and rst_n.
class axi_waves final : public pins::pin_part {
public:
    /// `waves`, `clock` and `pins` outlive it.
    axi_waves(waveform& waves, const std::string& name, pins::pin_clock& clock,
              const bus_pins& pins);

    void clock_edge() override;

private:
    void show(const manager_side& m, const subordinate_side& s);

    const bus_pins& pins_;
    manager_side manager_;
    subordinate_side subordinate_;
    std::vector<wave_bits> variables_;  ///< in the order of show()
    bool on_ = false;                   ///< any of these
};

}  // namespace heddle::axi
