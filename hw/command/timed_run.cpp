// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <string>

#include "hw/command/device_run.h"
#include "hw/command/followed_run.h"
#include "hw/command/skipped_run.h"
#include "hw/command/trace_files.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/simulation.h"

namespace heddle::command {

device_run run_timed(const gpu_configuration& configuration, const timed_options& options,
                     const host_program& program) {
    trace_files traces(options.traces);
    followed_run followed(options.follow);
    gpu_options netlist;
    netlist.seed = options.seed;
    netlist.no_sleep = options.no_sleep;
    netlist.check_protocols = options.check_links;
    netlist.waves = traces.waves();
    netlist.transactions = traces.transactions();
    simulation simulated(configuration, netlist);
    traces.check_scopes();
    const skipped_run skipped(options.skip_launches, configuration, simulated);
    followed.attach(simulated, configuration);
    const error_kind kind = simulated.run(program, {options.max_cycles});
    std::string failure = simulated.status().text();
    if (!failure.empty()) failure.pop_back();  // the last line's end
    if (kind == error_kind::configuration) throw configuration_error(failure);
    traces.finish();
    followed.finish();
    device_run result;
    if (kind != error_kind::none) result.failure.emplace(kind, failure);
    skipped.finish(result);
    collect_gpu(simulated, configuration, result.values);
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
