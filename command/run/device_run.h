// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/run/record_files.h"
#include "command/run/thread_options.h"
#include "hw/top/gpu_configuration.h"
#include "include/heddle/retire.h"
#include "models/base/error.h"
#include "models/base/statistics.h"
#include "models/device/device.h"

namespace heddle::simt {
class debug_watch;
}  // namespace heddle::simt

namespace heddle::command {

/// A line of the summary.
struct summary_row {
    std::string name, value, unit;
};

/// What one run on a device has measured.
struct device_run {
    statistics values;  ///< without scopes "run" and "host"
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    std::optional<std::uint64_t> cycles;  ///< core cycles; none without time
    double host_seconds = 0;              ///< processor time of the simulation
    std::uint64_t skipped_launches = 0;   ///< before time began
    std::uint64_t skipped_warp_instructions = 0;
    std::vector<summary_row> rows;                           ///< further lines of the summary
    std::vector<std::pair<std::string, std::string>> notes;  ///< and what is too long for them
    std::string shown_tables;                                ///< of record_options, as text
    std::optional<run_error> failure;                        ///< why the run broke off
};

/// A host program; it may throw run_error.
using host_program = std::function<void(device&)>;

/// Runs a program on the functional simulator. Ctrl-C ends it. `show_progress`: see progress_line.
/// Throws the program's configuration_error; any other run_error becomes `failure`.
device_run run_functional(const gpu_configuration& configuration, const host_program& program,
                          std::optional<bool> show_progress, const thread_options& threads = {});

/// What a timed run writes for viewers; an empty name: nothing.
struct trace_options {
    std::string waveform_file;             ///< VCD; FST if the name ends in .fst
    std::vector<std::string> scopes;       ///< glob patterns; empty: the launch path and smx_0
    std::string cycles;                    ///< FROM:TO; empty: the whole run
    std::string timeline_file;             ///< Chrome/Perfetto JSON
    std::string slot_file;                 ///< ports of the RTL in a slot
    std::string rtl_file;                  ///< signals inside of the RTL in a slot
    std::string link_file;                 ///< messages of links
    std::vector<std::string> link_scopes;  ///< which links, as patterns; empty: all
};

/// What follows the execution of a timed run.
struct follow_options {
    std::string retire_file;  ///< empty: none
    /// Hears of each instruction; empty: nobody.
    std::function<void(const heddle_retired&)> retired;
    bool retired_parts = false;              ///< as it happens (retire_stream); not with a file
    std::vector<std::string> retire_scopes;  ///< as parse_retire_scope() takes them; empty: all
    bool check = false;                      ///< the functional simulator in step
    std::string thread_progress_file;        ///< CSV or JSON; empty: none
    simt::debug_watch* watch = nullptr;      ///< of a debugger; null: none
};

/// How the timed machine is run.
struct timed_options {
    std::uint64_t seed = 1;
    std::uint64_t max_cycles = 0;  ///< core cycles; 0: no limit
    bool no_sleep = false;
    thread_options threads;
    bool check_links = false;
    std::uint64_t skip_launches = 0;    ///< the first ones take no time
    std::optional<bool> show_progress;  ///< see progress_line
    trace_options traces;
    follow_options follow;
    record_options records;
};

/// Runs a program on the timed machine; likewise. Once in a process.
device_run run_timed(const gpu_configuration& configuration, const timed_options& options,
                     const host_program& program);

}  // namespace heddle::command
