// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/axi_checker.h"

#include <systemc>
#include <utility>

#include "hw/base/report_error.h"

namespace heddle::axi {

axi_checker::axi_checker(std::string name, pins::pin_clock& clock, const bus_pins& pins,
                         unsigned ids, std::uint64_t longest_wait)
    : pin_part(clock),
      name_(std::move(name)),
      pins_(pins),
      checker_({pins.bus_bytes(), ids, longest_wait}, [this](rule which, const std::string& text) {
          const std::string id = std::string("heddle/axi/") + describe(which).name;
          report_error(id.c_str(), name_ + ": " + text);
      }) {}

void axi_checker::clock_edge() {
    pins_.sample(manager_);
    pins_.sample(subordinate_);
    if (std::exchange(first_, false)) {
        checker_.reset_clock(manager_, subordinate_);  // the pins are still those of the reset
    } else {
        checker_.clock(manager_, subordinate_);
    }
}

}  // namespace heddle::axi
