// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/run_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "command/run/record_files.h"
#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/base/suggestion.h"
#include "models/inputs/input_file.h"
#include "models/workloads/registry.h"

namespace heddle::command {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

/// An option that has no meaning for what is run is a mistake of the user's.
void check_options(const run_request& request) {
    const bool file = runs_file(request);
    const bool script = runs_script(request);
    const auto reject = [&](bool given, const char* option, bool for_file) {
        if (!given || file == for_file) return;
        throw configuration_error(fmt::format(
            "{} is for {}, but '{}' is {}", option, for_file ? "kernels of ELF files" : "workloads",
            request.what,
            script                   ? "a launch script"
            : file                   ? "an ELF file"
            : request.own != nullptr ? "a host program"
                                     : "a workload (write ./" + request.what + " for a file)"));
    };
    const auto reject_in_script = [&](bool given, const char* option) {
        if (!given || !script) return;
        throw configuration_error(
            fmt::format("{} is for an ELF file; the launch script '{}' says "
                        "it of each launch",
                        option, request.what));
    };
    reject(!request.input.empty(), "--input", false);
    reject(!request.options.empty(), "--option", false);
    reject(request.golden, "--golden without NAME=FILE", false);
    reject(!request.mode.empty(), "--mode", false);
    reject(!request.kernel.empty(), "--kernel", true);
    reject_in_script(!request.kernel.empty(), "--kernel");
    reject(!request.grid.empty(), "--grid", true);
    reject_in_script(!request.grid.empty(), "--grid");
    reject(!request.block.empty(), "--block", true);
    reject_in_script(!request.block.empty(), "--block");
    reject(!request.offset.empty(), "--offset", true);
    reject_in_script(!request.offset.empty(), "--offset");
    reject(request.dynamic_shared_bytes != 0, "--shared", true);
    reject_in_script(request.dynamic_shared_bytes != 0, "--shared");
    reject(request.cooperative, "--cooperative", true);
    reject_in_script(request.cooperative, "--cooperative");
    reject(!request.arguments.empty(), "--arg", true);
    reject_in_script(!request.arguments.empty(), "--arg");
    reject(!request.saved.empty(), "--save", true);
    reject(!request.golden_files.empty(), "--golden NAME=FILE", true);
    reject(!request.tolerance.empty(), "--tolerance", true);
}

struct named_file {
    std::filesystem::path file;
    std::string what;
};

/// All that the run writes. Where two outputs would meet in one file, the second would replace the
/// first.
std::vector<named_file> output_files(const run_request& request,
                                     const std::optional<launch_plan>& plan) {
    std::vector<named_file> outputs;
    const auto add = [&](const std::string& file, const std::string& option) {
        if (file.empty()) return;
        for (const named_file& other : outputs) {
            if (!same_file(other.file, file)) continue;
            throw configuration_error(fmt::format(
                "{} and {} both write '{}'; give each its own file", other.what, option, file));
        }
        outputs.push_back({file, option});
    };
    const trace_options& traces = request.timed.traces;
    add(request.statistics_file, "--stats");
    add(request.report_file, "--report");
    add(traces.waveform_file, "--vcd");
    if (!traces.waveform_file.empty()) {
        add(traces.waveform_file + ".gtkw", "--vcd's view");
        add(traces.waveform_file + ".names", "--vcd's names of states");
    }
    add(traces.timeline_file, "--timeline");
    add(traces.slot_file, "--slot-trace");
    add(traces.rtl_file, "--rtl-vcd");
    add(traces.link_file, "--link-trace");
    add(request.timed.follow.retire_file, "--retire");
    add(request.timed.follow.thread_progress_file, "--thread-progress");
    const record_options& records = request.timed.records;
    add(records.series_file, "--series");
    add(records.blocks_file, "--blocks");
    add(records.launches_file, "--launches");
    add(records.lines_file, "--lines");
    if (!plan) return outputs;
    for (const planned_file& saved : plan->saved) add(saved.file.string(), saved.where);
    return outputs;
}

void check_traces(const run_request& request) {
    const trace_options& traces = request.timed.traces;
    const auto timed_only = [&](bool given, const char* option) {
        if (!given || !request.functional) return;
        throw configuration_error(fmt::format(
            "{} is for the timed machine, but --functional chooses the simulator without time",
            option));
    };
    timed_only(request.timed.max_cycles != 0, "--max-cycles");
    timed_only(request.timed.no_sleep, "--no-sleep");
    timed_only(request.timed.check_links, "--check-links");
    timed_only(!traces.waveform_file.empty(), "--vcd");
    timed_only(!traces.scopes.empty(), "--trace-scope");
    timed_only(!traces.cycles.empty(), "--trace-cycles");
    timed_only(!traces.timeline_file.empty(), "--timeline");
    timed_only(!traces.slot_file.empty(), "--slot-trace");
    timed_only(!traces.rtl_file.empty(), "--rtl-vcd");
    check_file_ending("--rtl-vcd", traces.rtl_file, {".vcd"});
    timed_only(!traces.link_file.empty(), "--link-trace");
    timed_only(!traces.link_scopes.empty(), "--link-trace-scope");
    if (!traces.link_scopes.empty() && traces.link_file.empty()) {
        throw configuration_error("--link-trace-scope needs --link-trace FILE");
    }
    timed_only(request.timed.skip_launches != 0, "--skip-kernels");
    const follow_options& follow = request.timed.follow;
    timed_only(!follow.retire_file.empty(), "--retire");
    timed_only(!follow.retire_scopes.empty(), "--retire-scope");
    timed_only(follow.check, "--check");
    timed_only(!follow.thread_progress_file.empty(), "--thread-progress");
    timed_only(request.golden, "--golden");
    if (!follow.retire_scopes.empty() && follow.retire_file.empty() && !follow.retired) {
        throw configuration_error("--retire-scope needs --retire FILE");
    }
    const record_options& records = request.timed.records;
    check_records(records, timed_only);
    if (records.interval && records.series_file.empty() && request.report_file.empty() &&
        follow.thread_progress_file.empty()) {
        throw configuration_error(
            "--interval needs --series FILE, --thread-progress FILE or --report FILE");
    }
    const bool traced = !traces.waveform_file.empty() || !traces.timeline_file.empty();
    const auto needs_file = [&](bool given, const char* option) {
        if (!given || traced) return;
        throw configuration_error(fmt::format("{} needs --vcd FILE or --timeline FILE", option));
    };
    needs_file(!traces.scopes.empty(), "--trace-scope");
    needs_file(!traces.cycles.empty(), "--trace-cycles");
    (void)output_files(request, std::nullopt);
    // A pipe or device has no ending. Viewers know files by theirs, in small letters.
    check_file_ending("--stats", request.statistics_file, {".json", ".csv"});
    check_file_ending("--report", request.report_file, {".html"});
    check_file_ending("--thread-progress", follow.thread_progress_file, {".csv", ".json"});
    check_file_ending("--vcd", traces.waveform_file, {".vcd", ".vcd.gz", ".fst"});
    check_file_ending("--timeline", traces.timeline_file, {".json", ".json.gz"});
}

}  // namespace

bool runs_file(const run_request& request) {
    const std::string& what = request.what;
    if (request.own != nullptr || request.guest) return false;
    if (what.rfind('.', 0) == 0 || what.rfind('/', 0) == 0 || ends_with(what, ".elf")) return true;
    return runs_script(request) ||
           (std::filesystem::exists(what) && workloads::look_up(what) == nullptr);
}

bool runs_script(const run_request& request) {
    return request.own == nullptr && !request.guest && ends_with(request.what, ".toml");
}

void check_file_ending(const char* option, const std::string& file,
                       const std::vector<std::string>& endings) {
    const std::filesystem::path path(file);
    std::string ending = path.extension().string();
    if (ending == ".gz") ending = path.stem().extension().string() + ending;
    if (ending.empty() || std::find(endings.begin(), endings.end(), ending) != endings.end()) {
        return;
    }
    throw configuration_error(fmt::format("{} {}: unknown file type '{}'; use {}", option, file,
                                          ending, joined(endings)));
}

void check_inputs_stay(const run_request& request,
                       const std::vector<std::filesystem::path>& configuration_files,
                       const std::optional<launch_plan>& plan) {
    std::vector<named_file> inputs;
    for (const auto& file : configuration_files) inputs.push_back({file, "the configuration"});
    if (plan) {
        inputs.push_back({plan->program, "the program"});
        if (runs_script(request)) inputs.push_back({request.what, "the launch script"});
        for (const auto& file : plan->inputs()) inputs.push_back({file, "values of a buffer"});
    }
    inputs.push_back({inputs::input_file(request.input), "--input"});
    const std::vector<named_file> outputs = output_files(request, plan);
    for (const named_file& input : inputs) {
        // A device that is read and written, as a terminal, is not overwritten.
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(input.file, ignored)) continue;
        for (const named_file& output : outputs) {
            if (!same_file(input.file, output.file)) continue;
            throw configuration_error(
                fmt::format("{} would overwrite '{}', which this run reads as {}", output.what,
                            output.file.string(), input.what));
        }
    }
}

void check_request(const run_request& request) {
    check_options(request);
    check_traces(request);
}

}  // namespace heddle::command
