// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Warp instructions a second of the functional simulator on whole workloads; only the time inside
// the simulator counts, not the preparation of inputs nor the serial reference.
#include <benchmark/benchmark.h>

#include <string>

#include "models/iss/simulator.h"
#include "models/workloads/registry.h"

namespace heddle::workloads {
namespace {

void run(benchmark::State& state, const char* name, const workload_options& options) {
    std::uint64_t instructions = 0;
    for (auto _ : state) {
        iss::functional_simulator gpu{machine_configuration{}};
        run_workload(find_workload(name), gpu, options).require_correct(name);
        state.SetIterationTime(gpu.host_seconds());
        instructions += gpu.total().warp_instructions;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

/// One run takes long enough to be measured; the median of five counts.
void settings(benchmark::internal::Benchmark* one) {
    one->UseManualTime()->Iterations(1)->Repetitions(5)->ReportAggregatesOnly()->Unit(
        benchmark::kMillisecond);
}

const char* const graph = "kronecker:scale=14,degree=16";

// The targets: 30 M/s on compute, 15 M/s on bfs (2.6 GHz Xeon, one core).
BENCHMARK_CAPTURE(run, compute, "compute", {1, "", {{"rounds", "1024"}}})->Apply(settings);
BENCHMARK_CAPTURE(run, bfs_flags, "bfs", {1, graph, {}})->Apply(settings);
BENCHMARK_CAPTURE(run, bfs_queue, "bfs", {1, graph, {{"variant", "queue"}}})->Apply(settings);
BENCHMARK_CAPTURE(run, matrix, "matrix", {1, "", {{"inner", "512"}}})->Apply(settings);
BENCHMARK_CAPTURE(run, divergence, "divergence", {1, "", {{"n", "16384"}}})->Apply(settings);
BENCHMARK_CAPTURE(run, lock, "lock", {1, "", {{"n", "8192"}}})->Apply(settings);

}  // namespace
}  // namespace heddle::workloads

BENCHMARK_MAIN();
