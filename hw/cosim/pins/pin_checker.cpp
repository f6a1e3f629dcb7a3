// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/pin_checker.h"

namespace heddle::pins {

pin_checker::pin_checker(std::string name, pin_clock& clock, std::uint64_t longest_wait)
    : pin_part(clock),
      name_(std::move(name)),
      domain_(clock.domain()),
      longest_wait_(longest_wait) {}

void pin_checker::violation(const char* rule, const std::string& what) {
    ++violations_;
    SC_REPORT_ERROR(
        rule, (name_ + ", clock edge " + std::to_string(domain_.edge()) + ": " + what).c_str());
}

void pin_checker::wait() {
    if (++waited_ != longest_wait_ + 1 || longest_wait_ == 0) return;
    violation(rule::longest_wait,
              "waits for " + std::to_string(waited_) +
                  " clocks; legal: at most pins.longest_wait = " + std::to_string(longest_wait_));
}

}  // namespace heddle::pins
