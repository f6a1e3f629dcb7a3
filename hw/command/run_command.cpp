// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/command/run_command.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "hw/command/host_statistics.h"
#include "hw/command/program_arguments.h"
#include "models/base/configuration.h"
#include "models/base/error.h"
#include "models/base/machine_configuration.h"
#include "models/base/output_file.h"
#include "models/base/text_table.h"
#include "models/iss/simulator.h"
#include "models/iss/statistics.h"
#include "models/program/image.h"
#include "models/workloads/registry.h"

namespace heddle::command {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void on_interrupt(int signal_number) {
    interrupted = 1;
    std::signal(signal_number, SIG_DFL);  // a second Ctrl-C ends the process at once
}

bool is_file(const std::string& what) {
    constexpr std::string_view extension = ".elf";
    return what.find('/') != std::string::npos ||
           (what.size() > extension.size() &&
            what.compare(what.size() - extension.size(), extension.size(), extension) == 0);
}

/// Name and value of each line of the summary.
class summary {
public:
    summary() : table_({{"", text_table::align::left}, {"", text_table::align::right}, {"", {}}}) {}
    void row(const std::string& name, const std::string& value, const std::string& unit = "") {
        table_.add_row({name, value, unit});
    }
    [[nodiscard]] std::string str() const { return table_.str(); }

private:
    text_table table_;
};

void add_checks(summary& lines, const workloads::workload_report& report) {
    for (const workloads::result_check& check : report.checks()) {
        lines.row(check.what, check.passed() ? "correct" : "WRONG",
                  fmt::format("{} values, {}", check.values, check.comparison));
    }
}

void add_statistics(summary& lines, const iss::functional_simulator& gpu) {
    const iss::execution_counts& total = gpu.total();
    lines.row("warp instructions", std::to_string(total.warp_instructions));
    lines.row("thread instructions", std::to_string(total.thread_instructions));
    if (total.warp_instructions != 0) {
        const double activity = static_cast<double>(total.thread_instructions) /
                                static_cast<double>(total.warp_instructions) /
                                gpu.properties().warp_size;
        lines.row("warp activity", fmt::format("{:.1f}", 100 * activity), "%");
    }
    if (gpu.host_seconds() > 0) {
        lines.row("host time", fmt::format("{:.3f}", gpu.host_seconds()), "s");
        lines.row("speed",
                  fmt::format("{:.1f}", 1e-6 * static_cast<double>(total.warp_instructions) /
                                            gpu.host_seconds()),
                  "M warp instructions/s");
    }
}

void run_workload(const run_request& request, device& gpu, summary& lines,
                  workloads::workload_report& report) {
    workloads::workload_options options;
    options.seed = request.seed;
    options.input = request.input;
    for (const std::string& text : request.options) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw configuration_error("--option " + text + ": expected key=value");
        }
        options.values[text.substr(0, equals)] = text.substr(equals + 1);
    }
    report = workloads::run_workload(workloads::find_workload(request.what), gpu, options);
    for (const workloads::report_row& row : report.rows())
        lines.row(row.name, row.text(), row.unit);
    add_checks(lines, report);
}

const program::kernel& choose_kernel(const program::image& image, const std::string& name) {
    if (!name.empty() || image.kernels().size() != 1) return image.get_kernel(name);
    return image.kernels().front();
}

void run_program(const run_request& request, device& gpu, summary& lines) {
    gpu.load(std::make_shared<program::image>(program::image::load(request.what)));
    const program::kernel& kernel = choose_kernel(gpu.image(), request.kernel);
    const program_arguments arguments(kernel, request.arguments, gpu, request.seed);
    launch_shape shape{request.grid, request.block, request.dynamic_shared_bytes, stream_id(0)};
    const std::vector<std::byte> packed = arguments.pack(kernel, shape);
    gpu.launch(kernel, shape, packed);
    gpu.synchronize();
    for (const argument_buffer& buffer : arguments.buffers()) {
        std::vector<std::byte> contents(buffer.bytes());
        gpu.read(contents.data(), buffer.address, contents.size());
        lines.row(buffer.name, buffer.preview(contents), buffer.type);
    }
}

void write_files(const run_request& request, const iss::functional_simulator& gpu,
                 const parameter_list& parameters) {
    if (request.statistics_file.empty()) return;
    statistics values;
    iss::collect(gpu, values);
    collect_host(values, gpu.host_seconds(), gpu.total().warp_instructions);
    run_description description;
    description.facts = {{"version", std::string(HEDDLE_VERSION)},
                         {"what", request.what},
                         {"device", std::string("functional simulator")},
                         {"input", request.input},
                         {"seed", request.seed}};
    description.configuration = &parameters;
    write_statistics(request.statistics_file, values, description);
}

}  // namespace

int run(const run_request& request, const std::filesystem::path& configurations) {
    machine_configuration machine;
    parameter_list parameters(machine);
    load_configuration(parameters, {request.configuration, request.settings, {configurations}});
    if (!request.statistics_file.empty()) {
        const output_file writable(request.statistics_file);  // an error now, not after the run
    }
    std::signal(SIGINT, on_interrupt);
    iss::functional_simulator gpu(machine, [] { return interrupted != 0; });
    summary lines;
    workloads::workload_report report;
    const std::string on =
        request.configuration.empty() ? "the default configuration" : request.configuration;
    std::optional<run_error> failure;
    try {
        if (is_file(request.what)) {
            run_program(request, gpu, lines);
        } else {
            run_workload(request, gpu, lines, report);
        }
    } catch (const run_error& error) {
        if (error.kind() == error_kind::configuration) throw;
        failure = error;
    }
    add_statistics(lines, gpu);
    fmt::print("{} on {}, functional simulator{}\n{}", request.what, on,
               failure ? " (PARTIAL: the run did not end well)" : "", lines.str());
    std::fflush(stdout);
    write_files(request, gpu, parameters);
    if (failure) throw run_error(*failure);
    if (!is_file(request.what)) report.require_correct(request.what);
    return 0;
}

}  // namespace heddle::command
