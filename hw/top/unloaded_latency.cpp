// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/unloaded_latency.h"

#include <algorithm>

#include "hw/base/period.h"
#include "models/base/round_up.h"

namespace heddle {
namespace {

bool caches_global(const gpu_configuration& machine) {
    return machine.l1d.size != 0 && machine.l1d.cache_global;
}

/// Bytes that the SMX asks for: of a line that L1D keeps, or of the sector around the word.
std::uint32_t request_bytes(const gpu_configuration& machine) {
    return caches_global(machine) ? machine.l1d.line : machine.lsu.sector;
}

/// What a DRAM channel does from the edge at which its controller sees the request; edges after it.
struct service {
    std::uint64_t dispatched;  ///< a bank takes the last column access
    std::uint64_t answered;
};

service serve(const gpu_configuration& machine, load_level level) {
    const auto bytes =
        static_cast<std::uint32_t>(round_up(request_bytes(machine), machine.l2.sector));
    if (machine.memory.model == memory_model::fixed) {
        const memory_configuration& m = machine.fixed_memory;
        const std::uint32_t transfer = (bytes + m.bytes_per_cycle - 1) / m.bytes_per_cycle;
        return {0, std::uint64_t{transfer} + m.latency};
    }
    const protocol::dram_timing& t = machine.dram.timing;
    const std::uint64_t first = level == load_level::open_row      ? 0
                                : level == load_level::closed_bank ? t.rcd
                                                                   : std::uint64_t{t.rp} + t.rcd;
    // The column accesses follow each other in one bank; one a clock comes to the queue.
    const std::uint64_t others =
        (bytes + machine.dram.access_granularity - 1) / machine.dram.access_granularity - 1;
    const std::uint64_t gap = std::max(t.ccd, t.ccdl);
    const std::uint64_t last = first + others * gap;
    const std::uint64_t dispatched = others == 0 ? 0 : std::max(others, last - gap);
    const std::uint64_t front = machine.dram.front_latency;
    return {front + dispatched, front + last + t.cl + t.burst + machine.dram.back_latency};
}

}  // namespace

std::vector<load_level> load_levels(const gpu_configuration& machine) {
    std::vector<load_level> levels;
    if (caches_global(machine)) levels.push_back(load_level::l1);
    if (machine.l2.size != 0) levels.push_back(load_level::l2);
    if (machine.memory.model == memory_model::fixed) {
        levels.push_back(load_level::closed_bank);
    } else {
        for (const load_level level :
             {load_level::open_row, load_level::closed_bank, load_level::other_row}) {
            levels.push_back(level);
        }
    }
    return levels;
}

load_times unloaded_load(const gpu_configuration& machine, load_level level, std::uint64_t start) {
    if (level == load_level::l1) {
        load_times hit;
        hit[load_stage::l1] = machine.l1d.hit_latency;
        return hit;
    }
    const frequency core = frequency::kilohertz(machine.clock.core);
    const frequency network = frequency::kilohertz(machine.clock.interconnect);
    const frequency l2 = frequency::kilohertz(machine.clock.l2);
    const frequency dram = frequency::kilohertz(machine.clock.dram);
    // What happens at an edge of one clock is seen at the next edge of another.
    const auto seen = [](const frequency& by, const frequency& sender, std::uint64_t edge) {
        return by.first_edge_after(sender.edge_time(edge));
    };
    const auto crossed = [&](std::uint64_t entered, std::uint32_t data) {
        return entered + machine.crossbar.latency + machine.crossbar.flits_of(data) - 1;
    };
    const std::uint64_t sent = start + machine.lsu.request_latency;
    const std::uint64_t request = crossed(seen(network, core, sent), 0);
    const std::uint64_t arrived = seen(l2, network, request);
    std::uint64_t found = arrived;
    protocol::access_times at;
    at.arrived = static_cast<double>(arrived) * period_of(l2);
    if (level != load_level::l2) {
        const service memory = serve(machine, level);
        const std::uint64_t queued = seen(dram, l2, arrived);
        found = seen(l2, dram, queued + memory.answered);
        at.fetch = {at.arrived, static_cast<double>(queued + memory.dispatched) * period_of(dram),
                    static_cast<double>(found) * period_of(l2)};
    }
    const std::uint32_t port = machine.l2.port_bytes;
    const std::uint32_t transfer = (request_bytes(machine) + port - 1) / port;
    const std::uint64_t answered = found + machine.l2.hit_latency + transfer - 1;
    at.answered = static_cast<double>(answered) * period_of(l2);
    const std::uint64_t back = crossed(seen(network, l2, answered), request_bytes(machine));
    const std::uint64_t end = seen(core, network, back);
    load_times times = split_load(start, sent, end, at, 1 / period_of(core));
    times[load_stage::l1] += machine.lsu.return_latency - 1;
    return times;
}

std::vector<double> mean_unloaded_load(const gpu_configuration& machine, load_level level) {
    constexpr int loads = 1000;
    std::vector<double> mean(load_stage_count);
    std::uint64_t start = 1;
    for (int i = 0; i < loads; ++i) {
        const load_times one = unloaded_load(machine, level, start);
        for (std::size_t stage = 0; stage < load_stage_count; ++stage) {
            mean[stage] += static_cast<double>(one.in[stage]) / loads;
        }
        start += one.total() + 1;
    }
    return mean;
}

}  // namespace heddle
