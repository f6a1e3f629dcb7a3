// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/run_command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "command/gdb/debug_run.h"
#include "command/gdb/gdb_process.h"
#include "command/report/report_command.h"
#include "command/run/data/program_run.h"
#include "command/run/data/requested_plan.h"
#include "command/run/device_run.h"
#include "command/run/interrupt.h"
#include "command/run/run_checks.h"
#include "command/run/run_settings.h"
#include "command/run/run_statistics.h"
#include "command/run/shown_tables.h"
#include "hw/smx/thread_pool/formations.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/configuration.h"
#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/base/text_table.h"
#include "models/workloads/registry.h"

namespace heddle::command {
namespace {

/// Name and value of each line of the summary.
class summary {
public:
    summary() : table_({{"", text_table::align::left}, {"", text_table::align::right}, {"", {}}}) {}
    void row(const std::string& name, const std::string& value, const std::string& unit = "") {
        table_.add_row({name, value, unit});
    }
    /// A line of its own above the table, for what is too long for a column.
    void note(const std::string& name, const std::string& text) {
        notes_ += name + ": " + text + "\n";
    }
    [[nodiscard]] std::string str() const { return notes_ + table_.str(); }

private:
    std::string notes_;
    text_table table_;
};

void add_checks(summary& lines, const workloads::workload_report& report) {
    for (const workloads::result_check& check : report.checks()) {
        lines.row(check.what, check.passed() ? "correct" : "WRONG",
                  fmt::format("{} values, {}", check.values, check.comparison));
    }
}

void add_statistics(summary& lines, const device_run& run, unsigned warp_size) {
    if (run.cycles) {
        lines.row("cycles", std::to_string(*run.cycles));
        if (*run.cycles != 0) {
            lines.row("IPC",
                      fmt::format("{:.2f}", static_cast<double>(run.thread_instructions) /
                                                static_cast<double>(*run.cycles)),
                      "thread instructions/cycle");
        }
    }
    for (const summary_row& row : run.rows) lines.row(row.name, row.value, row.unit);
    for (const auto& [name, text] : run.notes) lines.note(name, text);
    lines.row("warp instructions", std::to_string(run.warp_instructions));
    lines.row("thread instructions", std::to_string(run.thread_instructions));
    if (run.warp_instructions != 0) {
        const double activity = static_cast<double>(run.thread_instructions) /
                                static_cast<double>(run.warp_instructions) / warp_size;
        lines.row("SIMD efficiency", fmt::format("{:.1f}", 100 * activity), "%");
        if (const statistic* const of_double = run.values.find("gpu.double_instructions")) {
            const auto count = static_cast<double>(std::get<std::uint64_t>(of_double->value));
            lines.row(
                "double precision",
                fmt::format("{:.1f}", 100 * count / static_cast<double>(run.warp_instructions)),
                "% of the warp instructions");
        }
    }
    if (run.host_seconds > 0) {
        lines.row("host time", fmt::format("{:.3f}", run.host_seconds), "s");
        lines.row("speed",
                  fmt::format("{:.2f}",
                              1e-6 * static_cast<double>(run.warp_instructions) / run.host_seconds),
                  "M warp instructions/s");
    }
}

/// What one run leaves for its summary and its statistics file.
struct run_record {
    summary lines;
    std::vector<std::pair<std::string, run_fact>> facts;
    workloads::workload_report report;      ///< of a workload
    std::optional<std::string> difference;  ///< from the golden run

    void fact(const std::string& name, const std::string& value) {
        facts.emplace_back(name, value);
        lines.note(name, value);
    }
};

void run_workload(const run_request& request, device& gpu, run_record& record) {
    const workloads::workload& workload = workload_of(request);
    const workloads::workload_options options = options_of(request, workload);
    if (!workload.default_input.empty()) {
        record.fact("input", request.input.empty() ? workload.default_input : request.input);
    }
    for (const auto& [key, value] : options.values) record.fact("option " + key, value);
    if (!request.mode.empty()) record.fact("mode", request.mode);
    record.report = workloads::run_workload(workload, gpu, options);
    for (const workloads::report_row& row : record.report.rows()) {
        record.lines.row(row.name, row.text(), row.unit);
    }
    add_checks(record.lines, record.report);
}

/// What the buffers of the user's own kernels have after the run.
void add_results(const program_run& kernels, const device_run& result, run_record& record) {
    for (const auto& [name, text] : kernels.previews()) record.lines.note(name, text);
    if (result.failure) {
        if (kernels.saves()) record.lines.note("save", "nothing, because the run ended early");
        return;
    }
    for (const summary_row& row : kernels.rows()) record.lines.row(row.name, row.value, row.unit);
    record.difference = kernels.difference();
}

/// Runs the same workload on the functional simulator and compares what it declares deterministic.
void compare_with_golden(const run_request& request, const gpu_configuration& configuration,
                         run_record& record) {
    run_record golden;
    const device_run reference = run_functional(
        configuration,
        [&](device& simulator) {
            simulator.print_to(nullptr);  // what kernels print has been seen
            run_workload(request, simulator, golden);
        },
        request.timed.show_progress);
    if (reference.failure) throw run_error(*reference.failure);
    std::size_t bytes = 0;
    for (const auto& buffer : record.report.buffers()) bytes += buffer.bytes.size();
    record.difference = workloads::golden_difference(record.report, golden.report);
    if (record.report.buffers().empty()) {
        record.lines.row("golden", "-",
                         "no buffer of this run is the same in every order of execution");
        return;
    }
    record.lines.row("golden", record.difference ? "DIFFERS" : "equal",
                     fmt::format("{} bytes in {} buffers", bytes, record.report.buffers().size()));
}

/// The ELF file with the kernels of a run.
std::string program_of(const run_request& request, const std::optional<launch_plan>& plan) {
    return plan ? plan->program.string() : workloads::program_file(workload_of(request));
}

/// With a debugger, which is started or may come by itself.
device_run run_for_gdb(const run_request& request, const gpu_configuration& configuration,
                       const timed_options& timed, const std::string& elf_file,
                       const host_program& program) {
    gdb::gdb_process debugger;
    gdb::debug_request how;
    how.port = request.gdb_port.value_or(0);
    how.functional = request.functional;
    how.ready = [&](unsigned port) {
        if (request.starts_gdb) return debugger.start(elf_file, port, request.gdb_arguments);
        fmt::print(stderr,
                   "heddle: waits for a debugger: gdb-multiarch -ex 'set stack-cache off' -ex "
                   "'target remote localhost:{}' {}\n",
                   port, elf_file);
    };
    if (request.starts_gdb) {
        gdb::gdb_process::check();  // before the run, which takes its time
        how.give_up = [&] { return debugger.has_ended(); };
        how.gone = install_interrupt_handler;  // Ctrl-C is for this process again
    }
    return gdb::run_debugged(configuration, timed, how, program);
}

/// The kernels of a run without time, which has no --show.
void show_kernels(device_run& run) {
    const std::vector<launch_record> no_times;
    const code_costs no_costs;
    run.shown_tables += "\n" + shown_table("kernels", {run.values, no_times, no_costs});
}

/// Only of a setting of the user's own: configurations name a scheduler for their own formation.
void note_scheduler(const parameter_list& parameters, const gpu_configuration& configuration,
                    summary& lines) {
    const std::string key = "smx.scheduler";
    const formation_row formation = row_of(configuration.smx.formation);
    if (parameters.find(key)->source != "--set" || !formation.on_pool) return;
    lines.note(key, fmt::format("has no effect: smx.formation = {} picks from a pool of threads",
                                formation.name));
}

/// Returns 0 or the errno: what else the run has to write comes first.
int print_summary(const std::string& text) {
    errno = 0;
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : errno;
}

}  // namespace

void run(const run_request& request, const std::filesystem::path& configurations) {
    install_interrupt_handler();
    check_request(request);
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    const std::optional<launch_plan> plan = plan_of(request);
    check_inputs_stay(request, configure(request, parameters, configuration, configurations), plan);
    std::optional<output_file> statistics_file;  // an error now, not after the run
    if (!request.statistics_file.empty()) statistics_file.emplace(request.statistics_file);
    const char* const device_name = request.functional ? "functional simulator" : "timed machine";
    const std::string name = request.configuration.empty() ? "default" : request.configuration;
    std::optional<run_page> page;
    if (!request.report_file.empty()) page.emplace(request.report_file);
    run_record record;
    record.facts = {{"version", std::string(HEDDLE_VERSION)},
                    {"what", request.what},
                    {"device", std::string(device_name)},
                    {"config", name},
                    {"seed", request.seed}};
    if (!request.functional) note_scheduler(parameters, configuration, record.lines);
    std::optional<program_run> kernels;
    if (plan) {
        kernels.emplace(*plan, request.seed);
        for (const auto& [name, value] : kernels->facts()) record.fact(name, value);
    }
    const run_record before = record;
    bool again = false;  // a debugger goes back by running the program again
    const host_program program = [&](device& gpu) {
        const bool repeats = std::exchange(again, true);
        if (repeats) record = before;
        if (kernels) {
            if (repeats) kernels.emplace(*plan, request.seed);
            kernels->execute(gpu);
        } else if (request.guest) {
            request.guest(gpu, configuration);
        } else {
            run_workload(request, gpu, record);
        }
    };
    timed_options timed = request.timed;
    timed.seed = request.seed;
    timed.records.all_statistics = statistics_file || page;
    if (page) page->add_to(timed.records);
    device_run result =
        request.gdb_port || request.starts_gdb
            ? run_for_gdb(request, configuration, timed, program_of(request, plan), program)
        : request.functional ? run_functional(configuration, program, timed.show_progress)
                             : run_timed(configuration, timed, program);
    if (request.guest && request.functional) show_kernels(result);
    if (kernels) add_results(*kernels, result, record);
    add_statistics(record.lines, result, configuration.machine.warp_size);
    if (request.golden && !result.failure) compare_with_golden(request, configuration, record);
    const int unprinted = print_summary(
        fmt::format("{} on configuration {}, {}, seed {}{}\n{}{}", request.what, name, device_name,
                    request.seed, result.failure ? " (PARTIAL: the run ended early)" : "",
                    record.lines.str(), result.shown_tables));
    collect_run(result, true);
    const run_description description{record.facts, &parameters};
    if (statistics_file) write_statistics(*statistics_file, result.values, description);
    if (page) {
        output_file statistics(page->statistics_file());
        write_statistics(statistics, result.values, description);
        page->write(timed.records, request.typed);
    }
    if (result.failure) throw run_error(*result.failure);
    if (kernels) kernels->save();
    if (!kernels && !request.guest) record.report.require_correct(request.what);
    if (record.difference) throw run_error(error_kind::wrong_result, *record.difference);
    if (unprinted == 0) return;
    throw configuration_error(std::string("cannot write to standard output: ") +
                              std::strerror(unprinted));
}

}  // namespace heddle::command
