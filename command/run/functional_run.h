// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "command/run/device_run.h"
#include "command/run/progress_line.h"
#include "models/iss/simulator.h"

namespace heddle::command {

/// One run of the functional simulator. Ctrl-C ends it.
class functional_run {
public:
    /// `watch`: of a debugger; null: there is none.
    functional_run(const gpu_configuration& configuration, std::optional<bool> show_progress,
                   simt::debug_watch* watch = nullptr, const thread_options& threads = {});

    void execute(const host_program& program) { program(simulator_); }
    /// Statistics and counts so far; also from within the program.
    [[nodiscard]] device_run measured() const;

    /// Warp instructions so far.
    [[nodiscard]] std::uint64_t executed() const noexcept { return simulator_.executed(); }

    /// What it says about the threads that it was given; empty: nothing.
    [[nodiscard]] std::string note_of(const thread_options& threads) const;

private:
    progress_line line_;
    iss::functional_simulator simulator_;
};

}  // namespace heddle::command
