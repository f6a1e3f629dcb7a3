// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "hw/base/report_handler.h"
#include "hw/base/run_control.h"
#include "hw/top/gpu_options.h"
#include "models/base/run_status.h"

namespace heddle {

class crew;
class device;
class gpu;
class interval_recorder;
struct gpu_configuration;

/// One simulation of the machine: the netlist with what starts, bounds and stops it. There can be
/// one in a process.
///
/// SystemC reports become errors of the run: warnings and errors violate the model's invariants.
class simulation {
public:
    struct limits {
        std::uint64_t max_cycles = 0;  ///< core cycles; 0: no limit
    };

    simulation(const gpu_configuration& configuration, const gpu_options& options);
    ~simulation();
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    /// Runs a host program on the machine until it returns, an error, a limit or Ctrl-C.
    /// Errors, those that the program throws included, are in status().
    error_kind run(const std::function<void(device&)>& program, const limits& bounds);

    /// As run_control::observe_progress().
    void observe_progress(std::function<void()> observer) {
        control_.observe_progress(std::move(observer));
    }

    [[nodiscard]] const run_status& status() const noexcept { return status_; }
    [[nodiscard]] run_status& status() noexcept { return status_; }
    /// Defined in hw/top/gpu.h.
    [[nodiscard]] const gpu& machine() const noexcept { return *gpu_; }
    /// Before run(): to bind observers.
    [[nodiscard]] gpu& machine() noexcept { return *gpu_; }
    /// Processor time that the main thread has spent in run(), so far.
    [[nodiscard]] double host_seconds() const noexcept;

private:
    run_status status_;
    report_handler reports_;
    run_control control_;
    const bool run_ahead_;
    std::unique_ptr<crew> crew_;  ///< null: one thread
    std::unique_ptr<gpu> gpu_;
    std::unique_ptr<interval_recorder> intervals_;  ///< null without a series
    std::optional<double> started_;                 ///< seconds; of run(), while it runs
    double host_seconds_ = 0;
};

}  // namespace heddle
