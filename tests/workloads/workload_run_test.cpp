// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Every workload on the functional simulator against its serial reference.
#include <gmock/gmock.h>

#include <memory>
#include <optional>

#include "models/base/error.h"
#include "models/program/image.h"
#include "tb/kit/paths.h"
#include "tests/workloads/workload_fixture.h"

namespace heddle::workloads {
namespace {

using testing::HasSubstr;

class workload_run : public testing::TestWithParam<run_case> {};

TEST_P(workload_run, matches_the_reference) {
    const auto& one = GetParam();
    for (const unsigned warp_size : {8U, 16U, 32U, 64U}) {
        for (const std::uint64_t seed : {1U, 77U}) {
            const auto gpu = make_device(warp_size);
            const auto report = run_on(*gpu, one.workload, one.values, seed, one.input);
            EXPECT_NO_THROW(report.require_correct(one.workload))
                << "warp size " << warp_size << ", seed " << seed;
        }
    }
}

// Sizes around the warp, blocks that are no multiple of it, grids that end in a partial block.
INSTANTIATE_TEST_SUITE_P(saxpy, workload_run,
                         testing::Values(run_case{"saxpy", {{"n", "1"}}},
                                         run_case{"saxpy", {{"n", "31"}}},
                                         run_case{"saxpy", {{"n", "33"}, {"block", "32"}}},
                                         run_case{"saxpy", {{"n", "1000"}, {"block", "48"}}},
                                         run_case{"saxpy", {{"n", "70"}, {"block", "1"}}}));

INSTANTIATE_TEST_SUITE_P(
    matrix, workload_run,
    testing::Values(
        run_case{"matrix", {{"rows", "1"}, {"columns", "1"}, {"inner", "1"}}},
        run_case{"matrix", {{"rows", "33"}, {"columns", "17"}, {"inner", "31"}}},
        run_case{"matrix", {{"variant", "tiled"}, {"rows", "1"}, {"columns", "1"}, {"inner", "1"}}},
        run_case{"matrix",
                 {{"variant", "tiled"}, {"rows", "33"}, {"columns", "17"}, {"inner", "31"}}},
        run_case{"matrix",
                 {{"variant", "tiled"}, {"tile", "32"}, {"rows", "40"}, {"columns", "33"}}},
        run_case{"matrix", {{"tile", "32"}, {"rows", "40"}, {"columns", "33"}}},
        run_case{"matrix", {{"tile", "32"}, {"block_rows", "24"}, {"rows", "40"}}},
        run_case{"matrix",
                 {{"tile", "768"}, {"block_rows", "1"}, {"rows", "3"}, {"value_bytes", "8"}}}));

INSTANTIATE_TEST_SUITE_P(
    reduction, workload_run,
    testing::Values(run_case{"reduction", {{"n", "1"}}},
                    run_case{"reduction", {{"n", "33"}, {"block", "32"}}},
                    run_case{"reduction", {{"n", "5000"}, {"block", "64"}, {"blocks", "3"}}},
                    run_case{"reduction", {{"n", "3001"}, {"block", "1024"}}},
                    run_case{"reduction", {{"n", "5001"}, {"type", "float"}}}));

INSTANTIATE_TEST_SUITE_P(
    latency, workload_run,
    testing::Values(run_case{"latency", {{"footprint", "4"}, {"stride", "4"}}},
                    run_case{"latency", {{"footprint", "1000"}, {"stride", "260"}}},
                    run_case{"latency", {{"footprint", "640"}, {"warm", "false"}}},
                    run_case{"latency", {{"variant", "shared"}, {"stride", "132"}}},
                    run_case{"latency", {{"variant", "private"}, {"rounds", "3"}}},
                    run_case{"latency", {{"variant", "constant"}, {"rounds", "3"}}},
                    run_case{"latency", {{"variant", "coalescing"}, {"stride", "68"}}}));

INSTANTIATE_TEST_SUITE_P(
    bandwidth, workload_run,
    testing::Values(
        run_case{"bandwidth", {{"size", "4"}, {"block", "64"}, {"batches", "1"}}},
        run_case{"bandwidth", {{"size", "30000"}, {"warm", "false"}}},
        run_case{"bandwidth", {{"variant", "read"}, {"size", "30000"}, {"rounds", "3"}}},
        run_case{"bandwidth", {{"variant", "read_past_l1"}, {"size", "9000"}, {"block", "128"}}},
        run_case{"bandwidth", {{"variant", "strided"}, {"size", "9000"}, {"block", "64"}}},
        run_case{"bandwidth", {{"variant", "strided"}, {"batches", "2"}, {"stride", "132"}}},
        run_case{"bandwidth",
                 {{"variant", "shared"}, {"size", "9000"}, {"batches", "2"}, {"rounds", "2"}}},
        run_case{"bandwidth", {{"variant", "write"}, {"size", "30000"}, {"rounds", "2"}}},
        run_case{"bandwidth", {{"variant", "triad"}, {"size", "9000"}, {"block", "1024"}}}));

INSTANTIATE_TEST_SUITE_P(barrier, workload_run,
                         testing::Values(run_case{"barrier", {{"rounds", "1"}}}));

INSTANTIATE_TEST_SUITE_P(launch, workload_run,
                         testing::Values(run_case{"launch", {{"blocks", "2"}, {"launches", "1"}}},
                                         run_case{"launch", {{"blocks", "77"}, {"block", "33"}}}));

INSTANTIATE_TEST_SUITE_P(
    throughput, workload_run,
    testing::Values(run_case{"throughput", {{"rounds", "2"}}},
                    run_case{"throughput", {{"variant", "l1"}, {"rounds", "3"}}},
                    run_case{"throughput", {{"variant", "shared"}, {"rounds", "3"}}},
                    run_case{"throughput", {{"variant", "atomics"}, {"rounds", "1"}}}));

INSTANTIATE_TEST_SUITE_P(
    histogram, workload_run,
    testing::Values(run_case{"histogram", {{"n", "1"}, {"bins", "1"}}},
                    run_case{"histogram", {{"n", "3001"}, {"bins", "31"}, {"block", "33"}}},
                    run_case{"histogram", {{"n", "3000"}, {"bins", "700"}, {"skew", "90"}}},
                    run_case{"histogram", {{"n", "3001"}, {"variant", "global"}}},
                    run_case{"histogram", {{"n", "999"}, {"variant", "global"}, {"skew", "100"}}}));

INSTANTIATE_TEST_SUITE_P(
    transpose, workload_run,
    testing::Values(run_case{"transpose", {{"rows", "1"}, {"columns", "1"}}},
                    run_case{"transpose", {{"rows", "33"}, {"columns", "65"}}},
                    run_case{"transpose", {{"rows", "64"}, {"columns", "32"}}},
                    run_case{"transpose",
                             {{"variant", "naive"}, {"rows", "31"}, {"columns", "70"}}}));

INSTANTIATE_TEST_SUITE_P(
    compute, workload_run,
    testing::Values(run_case{"compute", {{"n", "33"}, {"rounds", "0"}}},
                    run_case{"compute", {{"n", "100"}, {"rounds", "50"}, {"block", "96"}}}));

INSTANTIATE_TEST_SUITE_P(divergence, workload_run,
                         testing::Values(run_case{"divergence", {{"n", "1"}}},
                                         run_case{"divergence", {{"n", "33"}, {"block", "32"}}},
                                         run_case{"divergence", {{"n", "500"}, {"block", "100"}}},
                                         run_case{"divergence",
                                                  {{"n", "70"}, {"case", "recursion"}}}));

INSTANTIATE_TEST_SUITE_P(
    lock, workload_run,
    testing::Values(run_case{"lock", {{"n", "1"}}},
                    // Everybody wants the same lock.
                    run_case{"lock", {{"n", "100"}, {"locks", "1"}, {"block", "33"}}},
                    run_case{"lock", {{"n", "300"}, {"locks", "7"}, {"rounds", "3"}}},
                    run_case{"lock", {{"n", "64"}, {"rounds", "0"}, {"case", "counters"}}},
                    run_case{"lock", {{"n", "200"}, {"case", "lists"}, {"locks", "1000"}}}));

// Blocks of one thread, of parts of warps, and of the most threads that transactions allow.
INSTANTIATE_TEST_SUITE_P(
    critical_sections, workload_run,
    testing::Values(run_case{"ht", {{"block", "1"}, {"blocks", "1"}, {"rounds", "1"}}},
                    run_case{"ht", {{"blocks", "2"}}},
                    run_case{"ht", {{"blocks", "2"}, {"version", "lock"}, {"block", "70"}}},
                    run_case{"ht", {{"blocks", "2"}, {"version", "serial"}, {"look_ups", "90"}}},
                    run_case{"ht", {{"blocks", "2"}, {"contention", "low"}, {"look_ups", "0"}}},
                    run_case{"it", {{"block", "1"}, {"blocks", "1"}, {"rounds", "1"}}},
                    run_case{"it", {{"blocks", "2"}, {"positions", "2"}}},
                    run_case{"it", {{"blocks", "2"}, {"version", "lock"}, {"block", "70"}}},
                    run_case{"it", {{"blocks", "2"}, {"version", "serial"}, {"contention", "low"}}},
                    run_case{"audit", {{"block", "1"}, {"blocks", "1"}, {"orders", "0"}}},
                    run_case{"audit", {{"blocks", "2"}, {"accounts", "2"}, {"block", "70"}}},
                    run_case{"audit", {{"blocks", "2"}, {"audits", "100"}, {"shares", "0"}}},
                    run_case{"audit", {{"blocks", "2"}, {"audits", "40"}, {"shares", "60"}}},
                    run_case{"gc", {{"block", "1"}, {"blocks", "1"}, {"rounds", "1"}}},
                    run_case{"gc", {{"blocks", "2"}, {"degree", "24"}, {"distance", "20"}}},
                    run_case{"gc", {{"blocks", "2"}, {"version", "lock"}, {"block", "70"}}},
                    run_case{"gc", {{"blocks", "2"}, {"version", "serial"}, {"contention", "low"}}},
                    run_case{"km", {{"block", "1"}, {"blocks", "1"}, {"rounds", "1"}}},
                    run_case{"km", {{"blocks", "2"}, {"clusters", "1"}}},
                    run_case{"km", {{"blocks", "2"}, {"version", "lock"}, {"block", "70"}}},
                    run_case{"km",
                             {{"blocks", "2"}, {"version", "serial"}, {"contention", "low"}}}));

INSTANTIATE_TEST_SUITE_P(
    bfs, workload_run,
    testing::Values(run_case{"bfs", {}, "kronecker:scale=7,degree=8"},
                    run_case{"bfs", {{"variant", "queue"}}, "kronecker:scale=7,degree=8"},
                    run_case{"bfs", {{"searches", "3"}, {"block", "33"}}, "rmat:scale=6,degree=4"},
                    run_case{"bfs",
                             {{"variant", "queue"}, {"source", "0"}, {"block", "32"}},
                             "road:width=9,height=7"},
                    run_case{"bfs", {{"source", "3"}}, "powerlaw:vertices=200"}));

// Grids without inner points, partial blocks, odd and even numbers of iterations.
INSTANTIATE_TEST_SUITE_P(
    grid_3d, workload_run,
    testing::Values(
        run_case{"lps", {{"nx", "1"}, {"ny", "1"}, {"nz", "1"}}},
        run_case{"lps", {{"nx", "33"}, {"ny", "9"}, {"nz", "5"}, {"iterations", "2"}}},
        run_case{"lps", {{"nx", "70"}, {"ny", "3"}, {"nz", "3"}, {"iterations", "3"}}},
        run_case{"lps", {{"nx", "5"}, {"ny", "5"}, {"iterations", "0"}}},
        run_case{"laplace", {{"nx", "1"}, {"ny", "1"}, {"nz", "1"}}},
        run_case{"laplace", {{"nx", "40"}, {"ny", "7"}, {"nz", "6"}, {"iterations", "3"}}},
        run_case{"stencil", {{"nx", "40"}, {"ny", "2"}, {"nz", "9"}}},
        run_case{"stencil", {{"nx", "40"}, {"ny", "7"}, {"nz", "2"}}},
        run_case{"stencil", {{"nx", "33"}, {"ny", "9"}, {"nz", "5"}, {"iterations", "2"}}},
        run_case{"stencil", {{"nx", "70"}, {"ny", "3"}, {"nz", "3"}, {"iterations", "3"}}}));

INSTANTIATE_TEST_SUITE_P(
    matrix_vector, workload_run,
    testing::Values(run_case{"atax", {{"rows", "1"}, {"columns", "1"}}},
                    run_case{"atax", {{"rows", "33"}, {"columns", "70"}, {"block", "32"}}},
                    run_case{"atax", {{"rows", "70"}, {"columns", "33"}, {"sums", "registers"}}},
                    run_case{"mvt", {{"rows", "1"}, {"columns", "1"}}},
                    run_case{"mvt", {{"rows", "33"}, {"columns", "70"}, {"block", "48"}}},
                    run_case{"mvt", {{"rows", "70"}, {"columns", "33"}, {"sums", "registers"}}},
                    run_case{"bicg", {{"rows", "1"}, {"columns", "1"}}},
                    run_case{"bicg", {{"rows", "33"}, {"columns", "70"}, {"block", "48"}}},
                    run_case{"bicg", {{"rows", "70"}, {"columns", "33"}, {"sums", "registers"}}}));

INSTANTIATE_TEST_SUITE_P(
    sobolqrng, workload_run,
    testing::Values(run_case{"sobolqrng", {{"points", "1"}, {"dimensions", "1"}}},
                    run_case{"sobolqrng", {{"points", "1000"}, {"dimensions", "40"}}},
                    run_case{"sobolqrng", {{"points", "33"}, {"block", "32"}, {"blocks", "1"}}},
                    run_case{"sobolqrng",
                             {{"points", "5000"}, {"dimensions", "3"}, {"blocks", "2"}}}));

INSTANTIATE_TEST_SUITE_P(
    montecarlo, workload_run,
    testing::Values(run_case{"montecarlo", {{"options", "1"}, {"paths", "2"}, {"block", "1"}}},
                    run_case{"montecarlo", {{"options", "3"}, {"paths", "33"}, {"block", "32"}}},
                    run_case{"montecarlo", {{"options", "40"}, {"paths", "1001"}}}));

INSTANTIATE_TEST_SUITE_P(
    pathfinder, workload_run,
    testing::Values(run_case{"pathfinder", {{"columns", "1"}, {"rows", "1"}}},
                    run_case{"pathfinder", {{"columns", "1"}, {"rows", "5"}}},
                    run_case{"pathfinder",
                             {{"columns", "100"}, {"rows", "8"}, {"steps", "3"}, {"block", "33"}}},
                    // One column a block is right at the end of a launch.
                    run_case{"pathfinder",
                             {{"columns", "50"}, {"rows", "5"}, {"steps", "16"}, {"block", "33"}}},
                    run_case{"pathfinder", {{"columns", "700"}, {"rows", "30"}, {"steps", "7"}}}));

// Arrays shorter than a warp and longer than a block, and a block that divides none.
INSTANTIATE_TEST_SUITE_P(
    bitonic, workload_run,
    testing::Values(run_case{"bitonic", {{"size", "1"}, {"arrays", "2"}}},
                    run_case{"bitonic", {{"size", "8"}, {"arrays", "3"}, {"block", "33"}}},
                    run_case{"bitonic", {{"size", "256"}, {"arrays", "2"}, {"block", "96"}}},
                    run_case{"bitonic", {{"variant", "launches"}, {"size", "1"}}},
                    run_case{"bitonic",
                             {{"variant", "launches"}, {"size", "128"}, {"arrays", "3"}}}));

INSTANTIATE_TEST_SUITE_P(black, workload_run,
                         testing::Values(run_case{"black", {{"options", "1"}}},
                                         run_case{"black",
                                                  {{"options", "3000"}, {"block", "100"}}}));

INSTANTIATE_TEST_SUITE_P(
    contrived, workload_run,
    testing::Values(run_case{"contrived", {{"n", "33"}, {"iterations", "1"}}},
                    run_case{"contrived", {{"n", "70"}, {"iterations", "6"}, {"ratio", "1"}}},
                    run_case{"contrived", {{"n", "70"}, {"iterations", "7"}, {"ratio", "23"}}}));

INSTANTIATE_TEST_SUITE_P(
    fft, workload_run,
    testing::Values(run_case{"fft", {{"side", "1"}, {"arrays", "3"}}},
                    run_case{"fft", {{"side", "2"}, {"arrays", "40"}, {"block", "33"}}},
                    run_case{"fft", {{"side", "16"}, {"arrays", "3"}, {"block", "32"}}},
                    run_case{"fft", {{"side", "8"}, {"arrays", "3"}, {"value_bytes", "8"}}}));

INSTANTIATE_TEST_SUITE_P(
    hmmer, workload_run,
    testing::Values(run_case{"hmmer", {{"sequences", "1"}, {"nodes", "1"}}},
                    run_case{"hmmer", {{"sequences", "70"}, {"shortest", "1"}, {"longest", "30"}}},
                    run_case{"hmmer", {{"sequences", "33"}, {"nodes", "20"}, {"block", "32"}}},
                    run_case{"hmmer", {{"layout", "interleaved"}, {"sequences", "1"}}},
                    run_case{"hmmer", {{"layout", "interleaved"}, {"sequences", "70"}}},
                    run_case{"hmmer", {{"layout", "private"}, {"sequences", "70"}}}));

// No fluid, solid cells only on the walls, all solid; odd and even numbers of steps.
INSTANTIATE_TEST_SUITE_P(
    lbm, workload_run,
    testing::Values(
        run_case{"lbm", {{"nx", "3"}, {"ny", "3"}, {"nz", "3"}}},
        run_case{"lbm", {{"nx", "9"}, {"ny", "7"}, {"nz", "5"}, {"iterations", "4"}}},
        run_case{"lbm", {{"nx", "9"}, {"ny", "5"}, {"solid", "0"}, {"iterations", "3"}}},
        run_case{"lbm", {{"nx", "9"}, {"ny", "5"}, {"solid", "100"}, {"iterations", "2"}}},
        run_case{"lbm", {{"nx", "9"}, {"ny", "5"}, {"iterations", "3"}, {"value_bytes", "8"}}}));

INSTANTIATE_TEST_SUITE_P(
    lu, workload_run,
    testing::Values(run_case{"lu", {{"tiles", "1"}, {"tile", "1"}}},
                    run_case{"lu", {{"matrices", "2"}, {"tiles", "1"}, {"tile", "9"}}},
                    run_case{"lu", {{"matrices", "2"}, {"tiles", "7"}, {"block", "20"}}},
                    run_case{"lu", {{"matrices", "3"}, {"tiles", "5"}, {"tile", "3"}}}));

/// A graph, if the workload reads one.
std::string small_input(const workload& reader) {
    if (reader.name == "pre") return "ratings:users=40,items=50,mean=9,least=3";
    if (reader.name == "regx") return "packets:count=30";
    return reader.default_input.empty() ? "" : "kronecker:scale=6,degree=4";
}

TEST(workload_run, golden_runs_agree_across_warp_sizes) {
    for (const auto& one : all_workloads()) {
        option_values small;
        if (one.name == "compute" || one.name == "throughput") small["rounds"] = "3";
        const auto narrow = make_device(32);
        const std::string input = small_input(one);
        const auto run = run_on(*narrow, one.name.c_str(), small, 5, input);
        EXPECT_FALSE(run.buffers().empty()) << one.name;
        for (const unsigned warp_size : {8U, 16U, 64U}) {
            const auto other = make_device(warp_size);
            const auto golden = run_on(*other, one.name.c_str(), small, 5, input);
            EXPECT_EQ(golden_difference(run, golden), std::nullopt)
                << one.name << " with warps of " << warp_size;
        }
    }
}

TEST(workload_run, the_seed_decides_the_result) {
    const auto run = [](std::uint64_t seed) {
        const auto gpu = make_device(32);
        return run_on(*gpu, "saxpy", {{"n", "100"}}, seed);
    };
    EXPECT_EQ(golden_difference(run(3), run(3)), std::nullopt);
    EXPECT_NE(golden_difference(run(3), run(4)), std::nullopt);
}

TEST(first_kernel, adds_vectors) {
    const auto gpu = make_device(32);
    gpu->load(std::make_shared<program::image>(
        program::image::load(build_path("kernels/vector_add.elf"))));
    constexpr std::uint32_t n = 1000;
    const std::vector<float> a(n, 1.5F);
    const std::vector<float> b(n, 2.25F);
    const device_buffer<float> device_a(*gpu, a, "a");
    const device_buffer<float> device_b(*gpu, b, "b");
    const device_buffer<float> sum(*gpu, n, "sum");
    launch(*gpu, "vector_add", {{4}, {256}}, n, device_a.get(), device_b.get(), sum.get());
    EXPECT_THAT(sum.read(), testing::Each(3.75F));
}

TEST(pathfinder, needs_columns_that_are_right_at_the_end) {
    const auto gpu = make_device(32);
    try {
        (void)run_on(*gpu, "pathfinder", {{"block", "40"}, {"steps", "20"}});
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("block is more than 2 * steps"));
    }
}

TEST(montecarlo, comes_near_the_price_without_randomness) {
    const auto gpu = make_device(32);
    const auto report = run_on(*gpu, "montecarlo", {{"options", "100"}, {"paths", "5000"}});
    for (const auto& row : report.rows()) {
        if (row.name != "farthest from Black-Scholes") continue;
        // All options share the paths; five standard deviations are one run in a million.
        EXPECT_GT(std::get<double>(row.value), 0.0);
        EXPECT_LT(std::get<double>(row.value), 5.0);
        return;
    }
    FAIL() << "no such row";
}

}  // namespace
}  // namespace heddle::workloads
