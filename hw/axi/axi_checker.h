// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/axi/pins.h"
#include "hw/axi/rule_checker.h"
#include "hw/cosim/pins/pin_clock.h"

namespace heddle::axi {

/// Watches the pins of a bus and reports what breaks a rule (rules.h): one SC_REPORT_ERROR each,
/// with the message id "heddle/axi/RULE" and the name of the bus. It drives nothing.
class axi_checker final : public pins::pin_part {
public:
    /// `name`: of the bus. `longest_wait` in clocks; 0: any. `clock` and `pins` outlive it.
    axi_checker(std::string name, pins::pin_clock& clock, const bus_pins& pins, unsigned ids,
                std::uint64_t longest_wait);

    void clock_edge() override;
    /// As rule_checker.
    void forget(std::uint64_t address, unsigned bytes) { checker_.forget(address, bytes); }
    void finish() { checker_.finish(); }
    [[nodiscard]] std::uint64_t answered() const noexcept { return checker_.answered(); }
    [[nodiscard]] const rule_checker::order_counts& orders() const noexcept {
        return checker_.orders();
    }

private:
    const std::string name_;
    const bus_pins& pins_;
    rule_checker checker_;
    manager_side manager_;
    subordinate_side subordinate_;
    bool first_ = true;
};

}  // namespace heddle::axi
