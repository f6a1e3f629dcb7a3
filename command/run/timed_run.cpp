// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/timed_run.h"

#include <string>

#include "command/run/progress_line.h"
#include "command/run/shown_tables.h"
#include "hw/top/credit_check.h"
#include "hw/top/gpu.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/why_one_thread.h"

namespace heddle::command {

namespace {

run_progress progress_of(const gpu& machine) {
    run_progress now;
    now.blocks_launched =
        machine.host_processor().submitted_blocks() + machine.device().blocks_by_kernels();
    now.blocks_done = machine.block_scheduler().finished_blocks();
    for (const auto& smx : machine.smxs()) {
        now.warp_instructions +=
            smx->counts(machine.core_clock().edge_count()).executed.warp_instructions;
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

/// The same of SMXs.
void report_smxs(const gpu& machine, device_run& result) {
    bool rtl = false;
    for (const auto& smx : machine.smxs()) {
        if (smx->has_core()) continue;
        rtl = true;
        const smx_counts counts = smx->counts(machine.core_clock().edge_count());
        if (counts.executed.warp_instructions != 0) return;
    }
    if (!rtl || result.failure) return;
    result.failure.emplace(error_kind::configuration,
                           "slot.smx: the RTL has executed no instruction, so this run says "
                           "nothing about it; legal: a run that gives it blocks, or slot.smx = "
                           "tlm");
}

}  // namespace

timed_run::timed_run(const gpu_configuration& configuration, const timed_options& options)
    : configuration_(configuration),
      options_(options),
      traces_(options.traces, configuration),
      followed_(options, configuration),
      records_(options.records),
      simulated_(configuration, netlist()) {
    traces_.check_scopes();
    skipped_.emplace(options.skip_launches, configuration, simulated_);
    followed_.attach(simulated_, configuration);
}

gpu_options timed_run::netlist() const {
    gpu_options netlist;
    netlist.seed = options_.seed;
    netlist.no_sleep = options_.no_sleep;
    netlist.threads = options_.threads.used();
    netlist.thread_delay_seed = options_.threads.delay_seed;
    netlist.observed = followed_.follows();
    netlist.check_protocols = options_.check_links;
    netlist.waves = traces_.waves();
    netlist.timeline = traces_.timeline();
    netlist.slot_ports = traces_.slot_ports();
    netlist.slot_signals = traces_.slot_signals();
    netlist.messages = traces_.messages();
    records_.request(netlist);
    return netlist;
}

void timed_run::execute(const host_program& program) {
    progress_line line(options_.show_progress);
    simulated_.observe_progress([&] { line.show(progress_of(simulated_.machine())); });
    simulated_.run(program, {options_.max_cycles});
}

std::uint64_t timed_run::run_until(std::uint64_t cycles) {
    host& processor = simulated_.machine().host_processor();
    // The last of them is the edge before.
    if (cycles != 0) processor.wait_until_edge(cycles - 1);
    return processor.domain().edge_count();
}

void timed_run::run_while(const std::function<bool()>& wanted) {
    constexpr std::uint64_t cycles = 16;  // between two questions
    host& processor = simulated_.machine().host_processor();
    while (!processor.idle() && wanted()) {
        processor.wait_until_edge(processor.domain().edge_count() + cycles);
    }
}

std::optional<run_error> timed_run::failure() const {
    const run_status& status = simulated_.status();
    if (!status.stop_requested()) return std::nullopt;
    std::string text = status.text();
    text.pop_back();  // the last line's end
    return run_error(status.kind(), text);
}

void timed_run::measure(device_run& into) const {
    collect_gpu(simulated_, configuration_, into.values);
    if (const work_log* const log = records_.log()) log->collect(into.values);
    const auto count = [&](const char* name) {
        return std::get<std::uint64_t>(into.values.find(name)->value);
    };
    into.warp_instructions = count("gpu.warp_instructions");
    into.thread_instructions = count("gpu.thread_instructions");
    into.cycles = count("gpu.cycles");
    into.host_seconds = simulated_.host_seconds();
}

device_run timed_run::measured() const {
    device_run result;
    result.failure = failure();
    measure(result);
    return result;
}

device_run timed_run::finish() {
    device_run result;
    result.failure = failure();
    if (result.failure && result.failure->kind() == error_kind::configuration) {
        throw configuration_error(result.failure->what());
    }
    traces_.finish();
    followed_.finish(simulated_.machine());
    report_rtl(simulated_.machine().rtl_usage(), result);
    report_smxs(simulated_.machine(), result);
    if (traces_.came_too_late()) {
        result.notes.emplace_back("--trace-cycles",
                                  options_.traces.cycles + " begins after the end of the run");
    }
    if (options_.threads.wanted > 1) {
        const std::string why = why_one_thread(configuration_, netlist());
        if (!why.empty()) {
            result.notes.emplace_back("--threads", "one thread: there is " + why);
        } else if (const std::string few = options_.threads.note(); !few.empty()) {
            result.notes.emplace_back("--threads", few);
        }
    }
    for (const credit_warning& warning : credit_warnings(configuration_)) {
        result.notes.emplace_back(warning.key, warning.text);
    }
    skipped_->finish(result);
    followed_.report(result);
    records_.finish();
    records_.take_costs(simulated_.machine());
    measure(result);
    if (const work_log* const log = records_.log()) {
        for (const std::string& name : options_.records.shown_tables) {
            result.shown_tables +=
                "\n" + shown_table(name, {result.values, log->launches(), records_.costs()});
        }
    }
    return result;
}

device_run run_timed(const gpu_configuration& configuration, const timed_options& options,
                     const host_program& program) {
    timed_run run(configuration, options);
    run.execute(program);
    return run.finish();
}

}  // namespace heddle::command
