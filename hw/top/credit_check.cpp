// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/credit_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hw/top/unloaded_latency.h"

namespace heddle {
namespace {

std::uint64_t credits(double amount) {
    constexpr double rounding = 1e-9;  // of the sums of stages, which stand for whole edges
    return static_cast<std::uint64_t>(std::ceil(amount - rounding));
}

/// Bytes that all memory channels carry in a core cycle.
double memory_bytes_per_cycle(const gpu_configuration& machine) {
    const double clocks = static_cast<double>(machine.clock.dram) / machine.clock.core;
    const double channel =
        machine.memory.model == memory_model::fixed
            ? machine.fixed_memory.bytes_per_cycle
            : static_cast<double>(machine.dram.access_granularity) / machine.dram.timing.burst;
    return machine.l2.banks * channel * clocks;
}

/// Core cycles of a load that goes to a closed bank, in all and at the memory behind L2.
struct load_cycles {
    double total = 0;
    double memory = 0;
};

load_cycles to_closed_bank(const gpu_configuration& machine) {
    const std::vector<double> stages = mean_unloaded_load(machine, load_level::closed_bank);
    const auto of = [&](load_stage stage) { return stages[static_cast<std::size_t>(stage)]; };
    return {std::accumulate(stages.begin(), stages.end(), 0.0),
            of(load_stage::queue) + of(load_stage::dram)};
}

}  // namespace

std::vector<credit_need> credit_needs(const gpu_configuration& machine) {
    std::vector<credit_need> needs;
    const double memory = memory_bytes_per_cycle(machine);
    const load_cycles load = to_closed_bank(machine);
    const std::uint32_t line = machine.l2.line;
    const double lines_of_smx = memory / machine.machine.smx_count * load.total / line;
    needs.push_back({"lsu.outstanding", "request", machine.lsu.outstanding, credits(lines_of_smx),
                     "the bandwidth of DRAM, an equal part for each SMX"});
    if (machine.l1d.size != 0 && machine.l1d.cache_global) {
        const double lines = lines_of_smx * line / machine.l1d.line;
        needs.push_back({"l1d.mshrs", "line", machine.l1d.mshrs, credits(lines),
                         "the bandwidth of DRAM, an equal part for each SMX"});
    }
    // A message holds its credits from the grant of its first flit until it leaves, and the next
    // one begins only while there is room for the longest message.
    const std::uint32_t flits = machine.crossbar.flits_of(line);
    const std::uint32_t longest = machine.crossbar.flits_of(machine.longest_message());
    needs.push_back({"crossbar.output_buffer", "flit", machine.crossbar.output_buffer,
                     std::uint64_t{machine.crossbar.latency} + flits + longest - 1,
                     "a flit a cycle at every output"});
    const double l2_per_network =
        static_cast<double>(machine.clock.l2) / machine.clock.interconnect;
    needs.push_back({"l2.response_queue", "access", machine.l2.response_queue,
                     credits(machine.l2.hit_latency / l2_per_network / flits) + 1,
                     "a line in every " + std::to_string(flits) + " cycles of the crossbar"});
    const std::uint64_t lines_of_bank = credits(memory / machine.l2.banks * load.memory / line);
    for (const auto& [key, has] : {std::pair{"l2.mshrs", machine.l2.mshrs},
                                   std::pair{"l2.write_buffer", machine.l2.write_buffer}}) {
        needs.push_back({key, "line", has, lines_of_bank,
                         "the bandwidth of the DRAM channel behind each bank"});
    }
    if (machine.memory.model == memory_model::fixed) return needs;
    const protocol::dram_timing& t = machine.dram.timing;
    needs.push_back({"dram.response_queue", "access", machine.dram.response_queue,
                     credits(static_cast<double>(t.cl + t.burst) / t.burst) + 1,
                     "the bandwidth of the channel"});
    return needs;
}

std::vector<credit_warning> credit_warnings(const gpu_configuration& machine) {
    std::vector<credit_warning> warnings;
    for (const credit_need& pool : credit_needs(machine)) {
        if (pool.enough()) continue;
        warnings.push_back({pool.key, std::to_string(pool.has) + " is too few for the latencies; " +
                                          pool.for_what + " needs " + std::to_string(pool.needs)});
    }
    return warnings;
}

}  // namespace heddle
