// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <numeric>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct barrier_options {
    std::uint32_t rounds = 64;

    void declare(parameter_list& p) {
        p.add("rounds", rounds, range(1, 1 << 20), "barrier", "Measured barriers of each block");
    }
};

/// Measures a block of `warps` warps; returns what its threads took from their neighbours.
std::vector<std::uint32_t> measure(device& gpu, std::uint32_t warps, std::uint32_t rounds,
                                   workload_report& report) {
    const std::uint32_t threads = warps * gpu.properties().warp_size;
    const device_buffer<std::uint32_t> ticks(gpu, warps, "ticks");
    const device_buffer<std::uint32_t> results(gpu, threads, "results");
    launch_shape shape;
    shape.block = {threads};
    shape.dynamic_shared_bytes = threads * sizeof(std::uint32_t);
    launch(gpu, "barrier", shape, rounds, ticks.get(), results.get());

    std::vector<std::uint32_t> expected(threads);
    for (std::uint32_t i = 0; i < threads; ++i) {
        const std::uint32_t neighbour = (i + 1) % threads;
        expected[i] = neighbour * neighbour;
    }
    auto found = results.read();
    const std::string name = "warps " + std::to_string(warps);
    report.compare("results of " + std::to_string(warps), found, expected);
    const auto sums = ticks.read();
    const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    report.add_row(name, sum / warps / rounds, "cycle/barrier");
    return found;
}

void run(device& gpu, const barrier_options& options, const run_context&, workload_report& report) {
    const device_properties& properties = gpu.properties();
    const std::uint32_t most = properties.max_threads_per_block / properties.warp_size;
    for (std::uint32_t warps = 1; warps < most; warps *= 2) {
        measure(gpu, warps, options.rounds, report);
    }
    // Of all blocks only the largest has as many threads with any warp size.
    report.declare_deterministic("results", measure(gpu, most, options.rounds, report));
}

}  // namespace

workload barrier() {
    return make_workload<barrier_options>(
        "barrier", "The clock around barriers, by the size of the block", "", run);
}

}  // namespace heddle::workloads
