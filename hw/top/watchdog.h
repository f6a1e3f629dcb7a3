// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "hw/base/clock_domain.h"
#include "hw/base/run_control.h"
#include "models/base/parameter.h"

namespace heddle {

struct watchdog_configuration {
    std::uint64_t watchdog = 10'000'000;

    void declare(parameter_list& p);
};

/// Ends a run in which nothing gets on, though warps may well spin.
///
/// Progress is whatever makes a sum of counters grow: values that stores and atomics change, blocks
/// that start or end, barriers that release, launches. Looking at it twice per limit, the part
/// notices a standstill of `gpu.watchdog` cycles before it has lasted one and a half times as long,
/// and never one that is shorter; then it reports error_kind::no_progress with the wait-for report
/// of run_control. It does not keep the others awake, and finds them when all sleep.
/// Costs two looks per limit. A limit of 0 switches it off.
class watchdog final : public clocked {
public:
    /// What the watchdog asks and tells those that it watches.
    struct watched {
        std::function<std::uint64_t()> progress;  ///< read at each look
        std::function<void()> gets_on;            ///< a look has found progress
    };

    /// `control` outlives the watchdog. Construct it after the parts that it watches.
    watchdog(clock_domain& domain, std::string name, const watchdog_configuration& configuration,
             watched parts, run_control& control);

    /// Whether it looks at the others at this edge.
    [[nodiscard]] bool looks() const { return limit_ != 0 && domain().edge() >= next_look_; }

    /// For the wait-for report of a run that ends now, for whatever reason. Nothing: there has been
    /// progress, as far as is known, in the last `gpu.watchdog` / 2 cycles. Otherwise the middle of
    /// the time in which there was none: what has run since then has run in vain.
    [[nodiscard]] std::optional<std::uint64_t> spinning_since() const;

    void evaluate() override;
    [[nodiscard]] activity update() override { return activity::idle; }

private:
    const std::uint64_t limit_;
    const std::uint64_t interval_;
    const watched parts_;
    run_control& control_;
    std::uint64_t next_look_ = 0;    ///< edge
    std::uint64_t last_change_ = 0;  ///< edge of the look that found progress
    std::uint64_t seen_ = 0;
};

}  // namespace heddle
