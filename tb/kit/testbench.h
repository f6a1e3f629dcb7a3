// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/report_handler.h"
#include "hw/base/run_control.h"
#include "hw/base/slot_usage.h"
#include "hw/base/waveform.h"
#include "hw/top/slot_waves.h"
#include "models/base/random.h"
#include "models/base/run_status.h"
#include "tb/kit/command_line.h"
#include "tb/kit/stall_source.h"

namespace heddle {

namespace protocol {
class trace_writer;
}

/// The command line that every testbench has.
struct testbench_options {
    std::uint64_t seed = 1;
    std::string vcd;                       ///< --vcd FILE
    std::vector<std::string> trace_scope;  ///< --trace-scope GLOB, repeatable
    std::string timeline;                  ///< --timeline FILE
    double stall_probability = 0.1;        ///< per handshake and cycle, 0 ... 0.95
    std::uint64_t max_cycles = 1000000;
    std::uint64_t watchdog = 10000;  ///< cycles without progress() that end the run
    bool no_sleep = false;
};

/// What a block's testbench stands on: options, seeded randomness, stalls, outputs, verdict.
///
/// A run passes if the testbench calls finish() and nobody reports an error. Failures: a failed
/// check or a SystemC warning (wrong result, exit code 1); a run that goes silent, makes no
/// progress() for `watchdog` cycles, or reaches max_cycles without finish() (no progress, exit
/// code 4, with a line for every part that waits for something).
/// One testbench a process, as there is one simulation a process.
class testbench {
public:
    testbench(std::string name, const testbench_options& options);
    ~testbench();
    testbench(const testbench&) = delete;
    testbench& operator=(const testbench&) = delete;

    [[nodiscard]] const testbench_options& options() const noexcept { return options_; }
    [[nodiscard]] run_status& status() noexcept { return status_; }
    [[nodiscard]] run_control& control() noexcept { return control_; }
    /// For the clock domains of the testbench.
    [[nodiscard]] clock_domain_options domain_options() noexcept {
        return {&control_, options_.no_sleep};
    }
    /// Null without --vcd.
    [[nodiscard]] waveform* waves() noexcept { return waves_.get(); }
    /// What RTL in slots has seen of its ports; shows them in the waveform.
    [[nodiscard]] slot_usage& rtl_usage() noexcept { return *rtl_usage_; }
    /// Null without --timeline.
    [[nodiscard]] protocol::trace_writer* timeline() noexcept { return timeline_.get(); }

    /// A random stream of one module of the testbench.
    [[nodiscard]] random_stream random(const std::string& module) const {
        return {options_.seed, module};
    }
    /// The stalls of one handshake.
    [[nodiscard]] stall_source stalls(const std::string& handshake) const {
        return {options_.seed, handshake, options_.stall_probability};
    }

    /// Something useful has happened.
    void progress() noexcept { ++progress_; }
    /// The testbench has seen all that it waits for: ends the run at this edge.
    void finish() noexcept { control_.finish(); }
    /// Reports a wrong result unless `good`; returns `good`.
    bool check(bool good, const std::string& message) {
        ++checks_;
        if (!good) {
            status_.report(error_kind::wrong_result, name_ + ": " + message);
        }
        return good;
    }

    /// Calls of check().
    [[nodiscard]] std::uint64_t checks() const noexcept { return checks_; }

    /// Runs the simulation; cycles are counted in `domain`. Returns status().kind().
    error_kind run(clock_domain& domain);
    /// Says what the RTL in slots has seen; a wrong result if it was asked nothing.
    void report_rtl();
    /// Completes the output files.
    void close_outputs();

private:
    class watchdog;

    std::string name_;
    testbench_options options_;
    run_status status_;
    report_handler reports_{status_};
    run_control control_;
    std::unique_ptr<waveform> waves_;
    std::unique_ptr<slot_waves> slot_waves_;  ///< null without --vcd
    std::unique_ptr<slot_usage> rtl_usage_;
    std::unique_ptr<protocol::trace_writer> timeline_;
    std::unique_ptr<watchdog> watchdog_;
    std::uint64_t progress_ = 0;
    std::uint64_t checks_ = 0;
};

struct testbench_description {
    std::string name;     ///< of the program
    std::string summary;  ///< one sentence for --help
    /// Adds options of this testbench only; may be empty.
    std::function<void(command_line&)> add_options;
};

/// The whole of an sc_main: reads the command line, prints the seed, runs `body` (which builds the
/// netlist, calls testbench::run() and checks), completes the files, prints the verdict. Returns
/// the exit code: 0 good, 1 wrong result, 2 usage, 4 no progress, 130 interrupted.
int run_testbench(const testbench_description& description, int argc, char** argv,
                  const std::function<void(testbench&)>& body);

}  // namespace heddle
