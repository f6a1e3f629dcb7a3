// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/gpu_statistics.h"

#include <string>

#include "hw/top/gpu.h"
#include "hw/top/gpu_counts.h"
#include "hw/top/machine_tables.h"
#include "hw/top/simulation.h"
#include "models/base/warp_slots.h"
#include "models/device/program_table.h"

namespace heddle {
namespace {

std::string indexed_scope(const std::string& scope, std::size_t index) {
    return scope + "." + std::to_string(index);
}

/// Sets gpu.NAME to a ratio; leaves it unset where that has no meaning.
void set_ratio(statistics& into, const char* name, double part, double whole) {
    if (whole != 0) into.set(std::string("gpu.") + name, part / whole);
}

double real(std::uint64_t count) {
    return static_cast<double>(count);
}

void collect_kernels(const gpu& machine, const smx_counts& all, unsigned warp_size,
                     statistics& into) {
    const auto& launches = machine.device().launch_counts();
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (launches[i] == 0) continue;
        kernel_counts counts{launches[i], {}};
        if (i < all.kernels.size()) counts.executed = all.kernels[i];
        collect_kernel(into, machine.device().programs().kernel_labels()[i], counts, warp_size);
    }
}

void collect_blocks(const gpu& machine, std::uint64_t idle_cycles, statistics& into) {
    machine.management_unit().collect(into, "kmu");
    machine.distributor().collect(into, "kernel_distributor");
    machine.block_scheduler().collect(into, "smx_scheduler");
    for (std::size_t i = 0; i < machine.smxs().size(); ++i) {
        machine.smxs()[i]->collect(into, indexed_scope("smx", i), idle_cycles);
    }
    tm_counts transactions;
    for (const auto& each : machine.smxs()) {
        if (!each->has_core()) continue;
        add_counts(transactions, each->core().transactions(each->core().domain().edge_count()));
    }
    collect_transactions(into, "tm", transactions);
    load_latency loads;
    histogram constants = histogram::powers_of_two();
    for (const auto& each : machine.smxs()) {
        if (!each->has_core()) continue;
        loads.merge(each->core().latency());
        constants.merge(each->core().constant_latency());
    }
    loads.collect(into, "load_latency");
    into.declare("constant_latency", constant_latency_statistics);
    into.set("constant_latency.total", constants);
    machine.interconnect().collect(into, "crossbar");
    for (std::size_t i = 0; i < machine.l2_banks().size(); ++i) {
        machine.l2_banks()[i]->collect(into, indexed_scope("l2", i));
    }
    machine.memory().collect(into);
}

/// Nothing where no kernel has launched.
void collect_device_launches(const gpu& machine, statistics& into) {
    const group_side* const groups = machine.block_scheduler().groups();
    if (groups == nullptr) return;
    const std::uint64_t joined = groups->chain().joined();
    const std::uint64_t refused = groups->refused();
    if (machine.management_unit().device_launches_taken() + joined == 0) return;
    groups->launches().collect(into);
    into.declare("launch.group", launch_group_statistics);
    into.set("launch.group.joined", joined);
    into.set("launch.group.refused", refused);
    into.set("launch.group.spilled", groups->chain().spilled());
    into.declare("launch", device_launch_statistics);
    into.set("launch.footprint_peak", machine.device().runtime().footprint_peak());
    if (joined + refused != 0) {
        into.set("launch.coalesced_fraction", real(joined) / real(joined + refused));
    }
    const suspended_blocks& suspended = machine.management_unit().suspended();
    if (suspended.count() == 0) return;
    into.declare("launch.suspended", suspended_block_statistics);
    into.set("launch.suspended.blocks", suspended.count());
    into.set("launch.suspended.peak", suspended.peak());
    into.set("launch.suspended.bytes", suspended.bytes());
}

void set_smxs(statistics& into, const smx_counts& all, double cycles,
              const gpu_configuration& configuration) {
    const double smxs = configuration.machine.smx_count;
    set_ratio(into, "ipc", real(all.executed.thread_instructions), cycles);
    set_ratio(into, "warp_ipc", real(all.executed.warp_instructions), cycles);
    set_ratio(into, "warps_resident", real(all.resident_warp_cycles), cycles * smxs);
}

void set_memory(statistics& into, const memory_counts& memory, double seconds,
                const gpu_configuration& configuration) {
    const std::uint64_t bytes = memory.bytes_read + memory.bytes_written;
    const double kilohertz = configuration.clock.dram;
    constexpr double hertz = 1000;
    into.set("gpu.dram_bytes", bytes);
    set_ratio(into, "dram_bandwidth", real(bytes), seconds);
    set_ratio(into, "dram_bandwidth_utilization", real(memory.busy_cycles),
              seconds * kilohertz * hertz * configuration.l2.banks);
}

}  // namespace

void declare_gpu(statistics& into) {
    into.declare("gpu", execution_statistics);
    into.declare("gpu", gpu_statistics);
    for_each_machine_table([&](const auto& table, const auto&) { declare_machine(into, table); });
    into.declare("gpu", scheduler_statistics);
    into.declare("gpu", issue_size_statistics);
}

void set_gpu(statistics& into, const gpu_counts& counts, const gpu_configuration& configuration) {
    constexpr double hertz = 1000;
    const double cycles = real(counts.cycles);
    const double seconds = cycles / (static_cast<double>(configuration.clock.core) * hertz);
    set_execution(into, "gpu", counts.smxs.executed, configuration.machine.warp_size);
    into.set("gpu.cycles", counts.cycles);
    into.set("gpu.host_gap_cycles", counts.gap_cycles);
    into.set("gpu.time", seconds);
    into.set("gpu.launches", counts.launches);
    set_ratio(into, "blocks_running", real(counts.block_cycles), cycles);
    set_smxs(into, counts.smxs, cycles, configuration);
    set_memory(into, counts.memory, seconds, configuration);
    const machine_configuration& machine = configuration.machine;
    gpu_counts busy = counts;
    busy.smxs.leave_out(counts.idle_cycles(), machine.smx_count * configuration.smx.schedulers,
                        resident_warps(machine));
    for_each_machine_table(
        [&](const auto& table, const auto& of) { set_machine(into, table, of(busy)); });
    set_scheduler_cycles(into, "gpu", busy.smxs);
    set_issue_sizes(into, "gpu", busy.smxs);
}

void collect_gpu(const simulation& run, const gpu_configuration& configuration, statistics& into) {
    const gpu& machine = run.machine();
    const gpu_counts all = counts_at(machine, present(machine));
    declare_gpu(into);
    set_gpu(into, all, configuration);
    collect_double(into, "gpu", all.smxs.executed);
    collect_kernels(machine, all.smxs, configuration.machine.warp_size, into);
    collect_blocks(machine, all.idle_cycles(), into);
    collect_device_launches(machine, into);
}

}  // namespace heddle
