// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <string>

#include "command/run/device_run.h"
#include "command/run/followed_run.h"
#include "command/run/progress_line.h"
#include "command/run/shown_tables.h"
#include "command/run/skipped_run.h"
#include "command/run/trace_files.h"
#include "hw/smx/smx_core.h"
#include "hw/top/credit_check.h"
#include "hw/top/gpu.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/simulation.h"

namespace heddle::command {

namespace {

run_progress progress_of(const gpu& machine) {
    run_progress now;
    now.blocks_launched =
        machine.host_processor().submitted_blocks() + machine.device().blocks_by_kernels();
    now.blocks_done = machine.block_scheduler().finished_blocks();
    for (const auto& smx : machine.smxs()) {
        now.warp_instructions += smx->core().counts().executed.warp_instructions;
    }
    now.cycles = machine.core_clock().edge_count();
    return now;
}

/// A comparison with RTL that was asked nothing is an error: it would look like a good one.
void report_rtl(const slot_usage& usage, device_run& result) {
    for (const std::string& line : usage.lines()) result.notes.emplace_back("RTL", line);
    const std::string never = usage.never_asked();
    if (never.empty() || result.failure) return;
    result.failure.emplace(error_kind::configuration,
                           never +
                               ": the RTL was asked 0 times, so this run says nothing about it; "
                               "legal: a run that uses the part, or slot.NAME = tlm");
}

}  // namespace

device_run run_timed(const gpu_configuration& configuration, const timed_options& options,
                     const host_program& program) {
    trace_files traces(options.traces, configuration);
    followed_run followed(options, configuration);
    record_files records(options.records);
    gpu_options netlist;
    netlist.seed = options.seed;
    netlist.no_sleep = options.no_sleep;
    netlist.check_protocols = options.check_links;
    netlist.waves = traces.waves();
    netlist.timeline = traces.timeline();
    netlist.slot_ports = traces.slot_ports();
    netlist.slot_signals = traces.slot_signals();
    netlist.messages = traces.messages();
    records.request(netlist);
    simulation simulated(configuration, netlist);
    traces.check_scopes();
    const skipped_run skipped(options.skip_launches, configuration, simulated);
    followed.attach(simulated, configuration);
    const error_kind kind = [&] {
        progress_line line(options.show_progress);
        simulated.observe_progress([&] { line.show(progress_of(simulated.machine())); });
        return simulated.run(program, {options.max_cycles});
    }();
    std::string failure = simulated.status().text();
    if (!failure.empty()) failure.pop_back();  // the last line's end
    if (kind == error_kind::configuration) throw configuration_error(failure);
    traces.finish();
    followed.finish(simulated.machine());
    device_run result;
    if (kind != error_kind::none) result.failure.emplace(kind, failure);
    report_rtl(simulated.machine().rtl_usage(), result);
    if (traces.came_too_late()) {
        result.notes.emplace_back("--trace-cycles",
                                  options.traces.cycles + " begins after the end of the run");
    }
    for (const credit_warning& warning : credit_warnings(configuration)) {
        result.notes.emplace_back(warning.key, warning.text);
    }
    skipped.finish(result);
    followed.report(result);
    records.finish();
    records.take_costs(simulated.machine());
    collect_gpu(simulated, configuration, result.values);
    if (const work_log* const log = records.log()) {
        log->collect(result.values);
        for (const std::string& name : options.records.shown_tables) {
            result.shown_tables +=
                "\n" + shown_table(name, {result.values, log->launches(), records.costs()});
        }
    }
    const auto count = [&](const char* name) {
        return std::get<std::uint64_t>(result.values.find(name)->value);
    };
    result.warp_instructions = count("gpu.warp_instructions");
    result.thread_instructions = count("gpu.thread_instructions");
    result.cycles = count("gpu.cycles");
    result.host_seconds = simulated.host_seconds();
    return result;
}

}  // namespace heddle::command
