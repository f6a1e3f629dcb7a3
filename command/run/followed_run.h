// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <vector>

#include "command/run/device_run.h"
#include "hw/top/debugged_machine.h"
#include "hw/top/lockstep_check.h"
#include "hw/top/observer_pair.h"
#include "hw/top/retire_file.h"
#include "hw/top/retire_stream.h"
#include "hw/top/thread_progress.h"

namespace heddle {
class gpu;
class simulation;
}  // namespace heddle

namespace heddle::command {

/// What follows the execution of a timed run: `--retire`, `--check`, `--thread-progress`, `--gdb`.
class followed_run {
public:
    /// Before the netlist is built: throws configuration_error if a file can't be written, or the
    /// configuration can't be checked.
    followed_run(const timed_options& options, const gpu_configuration& configuration);

    /// With the netlist built, before the run.
    void attach(simulation& simulated, const gpu_configuration& configuration);
    /// After the run, well or not: completes the files.
    void finish(const gpu& machine);
    /// Adds what was compared.
    void report(device_run& result) const;
    /// For a debugger; null without one.
    [[nodiscard]] debugged_machine* debugged() const noexcept { return debugged_.get(); }
    /// Whether anything hears of each instruction.
    [[nodiscard]] bool follows() const noexcept {
        return checks_ || watch_ != nullptr || retired_ != nullptr || progress_ != nullptr;
    }
    /// Accesses that the check has found racing so far, and the first of them.
    [[nodiscard]] std::uint64_t races() const;
    [[nodiscard]] std::string first_race() const;

private:
    void add(execution_observer*& to, execution_observer& observer);

    bool checks_;
    simt::debug_watch* watch_;
    std::unique_ptr<debugged_machine> debugged_;
    std::unique_ptr<retire_file> file_;
    std::unique_ptr<retire_stream> retired_;
    std::unique_ptr<lockstep_check> check_;
    std::unique_ptr<thread_progress> progress_;  ///< of SMX 0
    std::vector<std::unique_ptr<observer_pair>> pairs_;
};

}  // namespace heddle::command
