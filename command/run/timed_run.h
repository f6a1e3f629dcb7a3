// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "command/run/device_run.h"
#include "command/run/followed_run.h"
#include "command/run/record_files.h"
#include "command/run/skipped_run.h"
#include "command/run/trace_files.h"
#include "hw/top/simulation.h"

namespace heddle::command {

/// One run of the timed machine with all that records and follows it. One at a time in a process;
/// one for each SystemC kernel (kernel_context.h).
class timed_run {
public:
    /// Builds the machine. Throws configuration_error for options that it can't have. The
    /// configuration outlives the run.
    timed_run(const gpu_configuration& configuration, const timed_options& options);

    /// Runs the program until it returns or the run breaks off. Once.
    void execute(const host_program& program);
    /// From within the program: lets launches run until so many core cycles have run. Returns how
    /// many have.
    std::uint64_t run_until(std::uint64_t cycles);
    /// From within the program: lets launches run while `wanted` holds and any is open. It is asked
    /// now and then.
    void run_while(const std::function<bool()>& wanted);
    /// Why the run breaks off or has broken off; none while it goes well.
    [[nodiscard]] std::optional<run_error> failure() const;
    /// Statistics and counts so far; also from within the program.
    [[nodiscard]] device_run measured() const;
    /// After execute(), once: completes the files. Throws configuration_error if one can't be
    /// written, or if that is what the run broke off for.
    [[nodiscard]] device_run finish();

    /// For a debugger; null without one.
    [[nodiscard]] debugged_machine* debugged() const noexcept { return followed_.debugged(); }
    /// As followed_run has them.
    [[nodiscard]] std::uint64_t races() const { return followed_.races(); }
    [[nodiscard]] std::string first_race() const { return followed_.first_race(); }

private:
    [[nodiscard]] gpu_options netlist() const;
    void measure(device_run& into) const;

    const gpu_configuration& configuration_;
    const timed_options options_;
    trace_files traces_;
    followed_run followed_;
    record_files records_;
    simulation simulated_;
    std::optional<skipped_run> skipped_;
};

}  // namespace heddle::command
