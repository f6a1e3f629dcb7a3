// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

// What timed blocks call every cycle: random numbers and histograms. And what a run pays once.
#include <benchmark/benchmark.h>

#include "models/base/histogram.h"
#include "models/base/machine_configuration.h"
#include "models/base/random.h"
#include "models/base/statistics.h"

namespace heddle {
namespace {

void random_below(benchmark::State& state) {
    random_stream stream(1, "bench");
    for (auto _ : state) benchmark::DoNotOptimize(stream.below(1000));
}
BENCHMARK(random_below);

void lfsr_step(benchmark::State& state) {
    lfsr32 shift(1);
    for (auto _ : state) benchmark::DoNotOptimize(shift.step());
}
BENCHMARK(lfsr_step);

void histogram_add(benchmark::State& state) {
    histogram waiting = histogram::powers_of_two();
    std::uint64_t value = 1;
    for (auto _ : state) {
        waiting.add(value & 0xfff);
        value = value * 5 + 1;
    }
    benchmark::DoNotOptimize(waiting.sum());
}
BENCHMARK(histogram_add);

void declare_machine(benchmark::State& state) {
    for (auto _ : state) {
        machine_configuration machine;
        const parameter_list parameters(machine);
        benchmark::DoNotOptimize(parameters.parameters().data());
    }
}
BENCHMARK(declare_machine);

constexpr statistic_declaration block_statistics[] = {
    {"a", "cycle", "A statistic"}, {"b", "cycle", "A statistic"}, {"c", "cycle", "A statistic"},
    {"d", "cycle", "A statistic"}, {"e", "cycle", "A statistic"}, {"f", "cycle", "A statistic"},
    {"g", "cycle", "A statistic"}, {"h", "cycle", "A statistic"}, {"i", "cycle", "A statistic"},
    {"j", "cycle", "A statistic"},
};

/// 10 statistics of each of `range(0)` blocks as JSON.
void statistics_to_json(benchmark::State& state) {
    statistics values;
    for (std::int64_t block = 0; block < state.range(0); ++block) {
        values.declare("block." + std::to_string(block), block_statistics);
    }
    for (auto _ : state) benchmark::DoNotOptimize(to_json(values, {}).size());
}
BENCHMARK(statistics_to_json)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace heddle
