// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/gpu_statistics.h"

#include <string>
#include <variant>

#include "hw/smx/smx_core.h"
#include "hw/smx/smx_statistics.h"

namespace heddle {
namespace {

std::string indexed(const std::string& scope, std::size_t index) {
    return scope + "." + std::to_string(index);
}

/// Sum of SCOPE.i.NAME over a block's instances.
double sum(const statistics& values, const std::string& scope, std::size_t instances,
           const std::string& name) {
    double total = 0;
    for (std::size_t i = 0; i < instances; ++i) {
        const statistic* const one = values.find(indexed(scope, i) + "." + name);
        if (one == nullptr) continue;
        if (const auto* count = std::get_if<std::uint64_t>(&one->value)) {
            total += static_cast<double>(*count);
        } else if (const auto* real = std::get_if<double>(&one->value)) {
            total += *real;
        }
    }
    return total;
}

/// Sets gpu.NAME to a ratio; leaves it unset where that has no meaning.
void set_ratio(statistics& into, const char* name, double part, double whole) {
    if (whole != 0) into.set(std::string("gpu.") + name, part / whole);
}

smx_counts total(const gpu& machine) {
    smx_counts all;
    for (const auto& one : machine.smxs()) all.add(one->core().counts());
    return all;
}

void collect_kernels(const gpu& machine, const smx_counts& all, unsigned warp_size,
                     statistics& into) {
    const auto& launches = machine.device().launch_counts();
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (launches[i] == 0) continue;
        kernel_counts counts{launches[i], {}};
        if (i < all.kernels.size()) counts.executed = all.kernels[i];
        collect_kernel(into, machine.device().image().kernels()[i].name, counts, warp_size);
    }
}

void collect_blocks(const gpu& machine, statistics& into) {
    machine.management_unit().collect(into, "kmu");
    machine.distributor().collect(into, "kernel_distributor");
    machine.block_scheduler().collect(into, "smx_scheduler");
    for (std::size_t i = 0; i < machine.smxs().size(); ++i) {
        machine.smxs()[i]->collect(into, indexed("smx", i));
    }
    machine.interconnect().collect(into, "crossbar");
    for (std::size_t i = 0; i < machine.l2_banks().size(); ++i) {
        machine.l2_banks()[i]->collect(into, indexed("l2", i));
    }
    machine.memory().collect(into);
}

}  // namespace

void collect_gpu(const simulation& run, const gpu_configuration& configuration, statistics& into) {
    const gpu& machine = run.machine();
    const smx_counts all = total(machine);
    into.declare("gpu", gpu_statistics);
    collect_execution(into, "gpu", all.executed, configuration.machine.warp_size);
    collect_kernels(machine, all, configuration.machine.warp_size, into);
    collect_blocks(machine, into);

    const std::size_t smxs = machine.smxs().size();
    const auto of_smxs = [&](const char* name) { return sum(into, "smx", smxs, name); };
    const auto count = [](double value) { return static_cast<std::uint64_t>(value); };
    const std::uint64_t cycles = machine.host_processor().busy_cycles();
    constexpr double hertz = 1000;
    const double seconds =
        static_cast<double>(cycles) / (static_cast<double>(configuration.clock.core) * hertz);
    into.set("gpu.cycles", cycles);
    into.set("gpu.host_gap_cycles", machine.host_processor().gap_cycles());
    into.set("gpu.time", seconds);
    set_ratio(into, "ipc", static_cast<double>(all.executed.thread_instructions),
              static_cast<double>(cycles));
    set_ratio(into, "smx_occupancy", static_cast<double>(all.resident_warp_cycles),
              static_cast<double>(cycles) * static_cast<double>(smxs) *
                  (configuration.machine.smx.max_threads / configuration.machine.warp_size));
    set_ratio(into, "warps_in_flight", static_cast<double>(all.in_flight_warp_cycles),
              static_cast<double>(all.active_cycles));
    into.set("gpu.stall_cycles", count(of_smxs("stall_cycles")));
    into.set("gpu.reservation_fails", count(of_smxs("l1d.reservation_fails")));
    set_ratio(into, "l1d_miss_rate", of_smxs("l1d.misses"), of_smxs("l1d.accesses"));
    const std::size_t banks = machine.l2_banks().size();
    set_ratio(into, "l2_miss_rate", sum(into, "l2", banks, "misses"),
              sum(into, "l2", banks, "accesses"));

    const memory_counts memory = machine.memory().counts();
    set_ratio(into, "dram_efficiency", static_cast<double>(memory.busy_cycles),
              static_cast<double>(memory.pending_cycles));
    set_ratio(into, "dram_bandwidth_utilization", static_cast<double>(memory.busy_cycles),
              seconds * configuration.clock.dram * hertz * machine.memory().ports());
}

}  // namespace heddle
