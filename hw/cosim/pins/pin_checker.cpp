// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/pin_checker.h"

#include "hw/base/report_error.h"

namespace heddle::pins {

pin_checker::pin_checker(std::string name, pin_clock& clock, std::uint64_t longest_wait)
    : pin_part(clock),
      name_(std::move(name)),
      domain_(clock.domain()),
      longest_wait_(longest_wait) {}

void pin_checker::violation(const char* rule, const std::string& what) {
    ++violations_;
    report_error(rule, name_ + ", clock edge " + std::to_string(domain_.edge()) + ": " + what);
}

}  // namespace heddle::pins
