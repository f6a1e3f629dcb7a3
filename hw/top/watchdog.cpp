// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/watchdog.h"

#include <algorithm>
#include <utility>

#include "models/simt/progress_text.h"

namespace heddle {

void watchdog_configuration::declare(parameter_list& p) {
    p.add("watchdog", watchdog, range(0, 1'000'000'000'000), "cycle",
          "Core cycles without progress after which the timed machine gives up; 0: never");
}

watchdog::watchdog(clock_domain& domain, std::string name,
                   const watchdog_configuration& configuration, watched parts, run_control& control)
    : clocked(domain, std::move(name)),
      limit_(configuration.watchdog),
      interval_(std::max<std::uint64_t>(limit_ / 2, 1)),
      parts_(std::move(parts)),
      control_(control) {}

void watchdog::evaluate() {
    if (!looks()) return;
    const std::uint64_t edge = domain().edge();
    const std::uint64_t now = parts_.progress();
    if (now != seen_) {
        seen_ = now;
        last_change_ = edge;
        parts_.gets_on();
    } else if (edge - last_change_ >= limit_) {
        control_.status().report(
            error_kind::no_progress,
            simt::no_progress_text(edge - last_change_, "cycles", "gpu.watchdog") +
                control_.waiting_report());
    }
    next_look_ = edge + interval_;
    wake_at(next_look_);
}

std::optional<std::uint64_t> watchdog::spinning_since() const {
    if (limit_ == 0 || parts_.progress() != seen_) return {};
    const std::uint64_t edge = domain().edge();
    const std::uint64_t cycles = edge - last_change_;
    if (cycles < interval_) return {};
    return edge - cycles / 2;
}

}  // namespace heddle
