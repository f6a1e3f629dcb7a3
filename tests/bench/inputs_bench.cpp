// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Reading and generating graphs, in edges a second.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "models/base/random.h"
#include "models/inputs/load_graph.h"
#include "models/inputs/text_scanner.h"

namespace {

using namespace heddle;

constexpr std::uint32_t vertices = 1 << 20;
constexpr std::int64_t edges = 4 << 20;

/// An edge list of random edges, in the order of their sources as published ones are.
const std::string& edge_file() {
    static const std::string file = [] {
        std::string path = std::filesystem::temp_directory_path() / "heddle_inputs_bench.txt";
        std::FILE* out = std::fopen(path.c_str(), "w");
        random_stream random(1, "inputs_bench");
        for (std::int64_t i = 0; out != nullptr && i < edges; ++i) {
            std::fprintf(out, "%u\t%u\n", static_cast<unsigned>(i * vertices / edges),
                         static_cast<unsigned>(random.below(vertices)));
        }
        if (out != nullptr) std::fclose(out);
        return path;
    }();
    return file;
}

/// Lines and numbers alone.
void scan_edge_list(benchmark::State& state) {
    for (auto _ : state) {
        inputs::text_scanner text(edge_file());
        std::uint64_t sum = 0;
        while (text.next_line_of_data("#")) {
            sum += text.integer(0, vertices, "a vertex") + text.integer(0, vertices, "a vertex");
            text.end_line();
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * edges);
}
BENCHMARK(scan_edge_list)->Unit(benchmark::kMillisecond);

/// The same file into a graph.
void load_edge_list(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(inputs::load_graph(edge_file()).targets.data());
    state.SetItemsProcessed(state.iterations() * edges);
}
BENCHMARK(load_edge_list)->Unit(benchmark::kMillisecond);

void generate(benchmark::State& state, const char* generator) {
    std::int64_t stored = 0;
    for (auto _ : state) stored += inputs::load_graph(generator).edge_count();
    state.SetItemsProcessed(stored);
}
BENCHMARK_CAPTURE(generate, kronecker, "kronecker:scale=16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, road, "road:width=500,height=500")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generate, powerlaw, "powerlaw:vertices=200000")->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    std::error_code ignored;
    std::filesystem::remove(edge_file(), ignored);
    return 0;
}
