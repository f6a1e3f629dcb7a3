// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command/run/device_run.h"
#include "models/base/statistics.h"
#include "models/workloads/workload.h"

namespace heddle::command {

/// `heddle run`, as typed.
struct run_request {
    /// A workload's name, an ELF file (ends in .elf or starts with . or /) or a launch script (ends
    /// in .toml).
    std::string what;
    std::string configuration;          ///< NAME or FILE
    std::vector<std::string> settings;  ///< key=value
    std::uint64_t seed = 1;
    std::string statistics_file;
    std::string report_file;         ///< HTML
    std::vector<std::string> typed;  ///< the whole command line, for the report
    bool functional = false;         ///< on the functional simulator, not on the timed machine
    timed_options timed;
    std::optional<unsigned> gdb_port;  ///< a debugger may come there; 0: any free port
    bool starts_gdb = false;           ///< it is started, at a free port
    std::vector<std::string> gdb_arguments;
    /// What runs on the device, with the machine that it is, if that is no program of Heddle's;
    /// `what` is its name then. Empty: `what` says it.
    std::function<void(device&, const gpu_configuration&)> guest;
    // For a workload:
    const workloads::workload* own = nullptr;  ///< of a host program; null: `what` names it
    bool golden = false;                       ///< compare with the functional simulator
    std::string input;
    std::vector<std::string> options;  ///< key=value
    std::string mode;                  ///< of launches by kernels; empty: flat
    // For an ELF file:
    std::string kernel;  ///< may be empty when there is only one
    std::string grid;    ///< empty: one block
    std::string block;   ///< empty: 32 threads
    std::string offset;  ///< of the thread indices; empty: 0
    std::uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;  ///< blocks may be ended and started while it runs
    std::vector<std::string> arguments;
    // For an ELF file or a launch script:
    std::vector<std::string> saved;         ///< NAME=FILE
    std::vector<std::string> golden_files;  ///< NAME=FILE
    std::string tolerance;                  ///< REL or REL,ABS; empty: exact
};

/// Runs, prints the summary and writes the statistics. Both come, marked partial, also when the
/// run breaks off. Throws run_error when the run or its result is not good.
void run(const run_request& request, const std::filesystem::path& configurations);

/// What `heddle list` and `heddle describe` show; text, or JSON with `as_json`.
/// Throws configuration_error for an unknown topic or configuration.
std::string list(const std::string& topic, bool as_json,
                 const std::filesystem::path& configurations);
/// The core cycles of a load that meets no other, by where it finds its bytes and by stage.
std::string describe_latency(const std::string& name_or_file,
                             const std::vector<std::string>& settings, bool as_json,
                             const std::filesystem::path& configurations);
/// The credits that the way to memory has and needs, pool by pool.
std::string describe_credits(const std::string& name_or_file,
                             const std::vector<std::string>& settings, bool as_json,
                             const std::filesystem::path& configurations);
/// Storage and area of the mechanisms that papers add to a GPU, for the sizes of the
/// configuration, beside what the papers print.
std::string describe_area(const std::string& name_or_file, const std::vector<std::string>& settings,
                          bool as_json, const std::filesystem::path& configurations);
/// Modules and bound sockets of the elaborated machine, in the language of Graphviz.
std::string describe_netlist(const std::string& name_or_file,
                             const std::vector<std::string>& settings,
                             const std::filesystem::path& configurations);
std::string describe_configuration(const std::string& name_or_file,
                                   const std::vector<std::string>& settings, bool as_json,
                                   const std::filesystem::path& configurations);

}  // namespace heddle::command
