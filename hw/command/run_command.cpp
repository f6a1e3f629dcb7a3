// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/command/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "hw/command/extent.h"
#include "hw/command/host_statistics.h"
#include "hw/command/program_arguments.h"
#include "models/base/configuration.h"
#include "models/base/error.h"
#include "models/base/machine_configuration.h"
#include "models/base/output_file.h"
#include "models/base/suggestion.h"
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
    std::signal(signal_number, SIG_DFL);
    constexpr std::string_view note = "heddle: interrupted; once more ends it without results\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, note.data(), note.size());
}

bool is_file(const std::string& what) {
    constexpr std::string_view extension = ".elf";
    return what.rfind('.', 0) == 0 || what.rfind('/', 0) == 0 ||
           (what.size() > extension.size() &&
            what.compare(what.size() - extension.size(), extension.size(), extension) == 0);
}

/// An option that has no meaning for what is run is a mistake of the user's.
void check_options(const run_request& request) {
    const bool file = is_file(request.what);
    const auto reject = [&](bool given, const char* option, bool for_file) {
        if (!given || file == for_file) return;
        throw configuration_error(fmt::format(
            "{} is for {}, but '{}' is {}", option, for_file ? "kernels of ELF files" : "workloads",
            request.what,
            file ? "an ELF file" : "a workload (files end in .elf or start with . or /)"));
    };
    reject(!request.input.empty(), "--input", false);
    reject(!request.options.empty(), "--option", false);
    reject(!request.kernel.empty(), "--kernel", true);
    reject(!request.grid.empty(), "--grid", true);
    reject(!request.block.empty(), "--block", true);
    reject(request.dynamic_shared_bytes != 0, "--shared", true);
    reject(!request.arguments.empty(), "--arg", true);
}

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

/// What one run leaves for its summary and its statistics file.
struct run_record {
    summary lines;
    std::vector<std::pair<std::string, run_fact>> facts;
    workloads::workload_report report;  ///< of a workload

    void fact(const std::string& name, const std::string& value) {
        facts.emplace_back(name, value);
        lines.note(name, value);
    }
};

void run_workload(const run_request& request, device& gpu, run_record& record) {
    const workloads::workload& workload = workloads::find_workload(request.what);
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
    if (!workload.default_input.empty()) {
        record.fact("input", request.input.empty() ? workload.default_input : request.input);
    }
    for (const auto& [key, value] : options.values) record.fact("option " + key, value);
    record.report = workloads::run_workload(workload, gpu, options);
    for (const workloads::report_row& row : record.report.rows()) {
        record.lines.row(row.name, row.text(), row.unit);
    }
    add_checks(record.lines, record.report);
}

const program::kernel& choose_kernel(const program::image& image, const std::string& name) {
    if (name.empty() && image.kernels().size() == 1) return image.kernels().front();
    if (!name.empty()) return image.get_kernel(name);
    std::vector<std::string> names;
    for (const program::kernel& kernel : image.kernels()) names.push_back(kernel.name);
    throw configuration_error(fmt::format("{}: choose one of its kernels with --kernel: {}",
                                          image.name(), joined(names)));
}

void run_program(const run_request& request, device& gpu, run_record& record) {
    launch_shape shape;
    shape.grid = parse_extent("--grid", request.grid.empty() ? "1" : request.grid);
    shape.block = parse_extent("--block", request.block.empty() ? "32" : request.block);
    shape.dynamic_shared_bytes = request.dynamic_shared_bytes;
    gpu.load(std::make_shared<program::image>(program::image::load(request.what)));
    const program::kernel& kernel = choose_kernel(gpu.image(), request.kernel);
    const program_arguments arguments(kernel, request.arguments, gpu, request.seed);
    const std::vector<std::byte> packed = arguments.pack(kernel, shape);
    record.fact("kernel", kernel.name);
    record.fact("grid", to_text(shape.grid));
    record.fact("block", to_text(shape.block));
    gpu.launch(kernel, shape, packed);
    gpu.synchronize();
    for (const argument_buffer& buffer : arguments.buffers()) {
        std::vector<std::byte> contents(buffer.bytes());
        gpu.read(contents.data(), buffer.address, contents.size());
        record.lines.note(fmt::format("{} {}[{}]", buffer.name, buffer.type, buffer.count),
                          buffer.preview(contents));
    }
}

void write_file(const run_request& request, const iss::functional_simulator& gpu,
                const run_description& description, bool completed) {
    if (request.statistics_file.empty()) return;
    statistics values;
    values.declare("run", run_statistics);
    values.set("run.completed", completed ? 1U : 0U);
    iss::collect(gpu, values);
    collect_host(values, gpu.host_seconds(), gpu.total().warp_instructions);
    write_statistics(request.statistics_file, values, description);
}

}  // namespace

void run(const run_request& request, const std::filesystem::path& configurations) {
    check_options(request);
    machine_configuration machine;
    parameter_list parameters(machine);
    load_configuration(parameters, {request.configuration, request.settings, {configurations}});
    if (!request.statistics_file.empty()) {
        const output_file writable(request.statistics_file);  // an error now, not after the run
    }
    std::signal(SIGINT, on_interrupt);
    iss::functional_simulator gpu(machine, [] { return interrupted != 0; });
    const std::string configuration =
        request.configuration.empty() ? "default" : request.configuration;
    run_record record;
    record.facts = {{"version", std::string(HEDDLE_VERSION)},
                    {"what", request.what},
                    {"device", std::string("functional simulator")},
                    {"config", configuration},
                    {"seed", request.seed}};
    std::optional<run_error> failure;
    try {
        if (is_file(request.what)) {
            run_program(request, gpu, record);
        } else {
            run_workload(request, gpu, record);
        }
    } catch (const run_error& error) {
        if (error.kind() == error_kind::configuration) throw;
        failure = error;
    }
    add_statistics(record.lines, gpu);
    fmt::print("{} on configuration {}, functional simulator, seed {}{}\n{}", request.what,
               configuration, request.seed, failure ? " (PARTIAL: the run broke off)" : "",
               record.lines.str());
    std::fflush(stdout);
    write_file(request, gpu, {record.facts, &parameters}, !failure);
    if (failure) throw run_error(*failure);
    if (!is_file(request.what)) record.report.require_correct(request.what);
}

}  // namespace heddle::command
