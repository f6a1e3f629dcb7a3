// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Warps narrower than a row of host vector code: every workload on the timed machine, instruction
// by instruction against the functional simulator.
#include <gmock/gmock.h>

#include <map>

#include "models/workloads/registry.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using words = std::vector<std::string>;

/// Options that keep a run below a second.
const std::map<std::string, words> small_inputs{{"amr", {"across=4", "levels=1"}},
                                                {"atax", {"rows=64", "columns=64"}},
                                                {"audit", {"block=40", "blocks=3"}},
                                                {"bandwidth", {"size=65536"}},
                                                {"barrier", {"rounds=2"}},
                                                {"bfs", {}},
                                                {"bfs_pockets", {}},
                                                {"bht", {"bodies=64"}},
                                                {"bicg", {"rows=64", "columns=64"}},
                                                {"bitonic", {"arrays=2", "size=256"}},
                                                {"black", {"options=512"}},
                                                {"children", {"launches=64"}},
                                                {"clr", {}},
                                                {"color", {}},
                                                {"compute", {"n=2048", "rounds=4"}},
                                                {"contrived", {"n=256", "iterations=10"}},
                                                {"divergence", {"n=256"}},
                                                {"fft", {"arrays=8", "side=8"}},
                                                {"game", {"plies=4", "below=2"}},
                                                {"gc", {"block=40", "blocks=3", "version=lock"}},
                                                {"histogram", {"n=4096", "blocks=8"}},
                                                {"hmmer", {"sequences=64", "nodes=6"}},
                                                {"ht", {"block=40", "blocks=3", "version=lock"}},
                                                {"it", {"block=40", "blocks=3", "version=lock"}},
                                                {"join", {"left=200", "right=300"}},
                                                {"km", {"block=40", "blocks=3", "version=lock"}},
                                                {"l_bfs", {}},
                                                {"l_sssp", {}},
                                                {"laplace", {"nx=32", "ny=16", "nz=6"}},
                                                {"latency", {"rounds=2"}},
                                                {"launch", {"blocks=64"}},
                                                {"lbm", {"nx=12", "ny=10", "nz=5"}},
                                                {"ledgers", {"books=70", "longest=60"}},
                                                {"lock", {"n=256", "rounds=2"}},
                                                {"lps", {"nx=32", "ny=32", "nz=4"}},
                                                {"lu", {"matrices=2", "tiles=5"}},
                                                {"matrix", {"rows=32", "columns=32", "inner=32"}},
                                                {"mis", {}},
                                                {"montecarlo", {"options=4", "paths=512"}},
                                                {"mvt", {"rows=64", "columns=64"}},
                                                {"octree", {"points=600", "threshold=8"}},
                                                {"octree_pockets", {"points=600", "leaf=8"}},
                                                {"p_sssp", {}},
                                                {"pathfinder", {"columns=1024", "rows=11"}},
                                                {"pre", {}},
                                                {"reduction", {"n=4096", "blocks=8"}},
                                                {"regx", {}},
                                                {"saxpy", {"n=4096"}},
                                                {"sobolqrng", {"points=512", "dimensions=4"}},
                                                {"sssp", {}},
                                                {"stencil", {"nx=32", "ny=16", "nz=6"}},
                                                {"throughput", {"rounds=1"}},
                                                {"transpose", {"rows=64", "columns=64"}},
                                                {"uts", {"roots=8", "places=4"}}};

class narrow_warps : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(of, narrow_warps, testing::Values("8", "16"));

TEST_P(narrow_warps, run_every_workload_as_the_functional_simulator) {
    for (const workloads::workload& one : workloads::all_workloads()) {
        ASSERT_EQ(small_inputs.count(one.name), 1u) << one.name << " has no small input here";
        words arguments{"run",      one.name,
                        "--config", "tiny",
                        "--set",    std::string("gpu.warp_size=") + GetParam(),
                        "--check",  "--golden",
                        "--set",    "tm.enabled=true"};
        for (const std::string& option : small_inputs.at(one.name)) {
            arguments.insert(arguments.end(), {"--option", option});
        }
        const std::string input = one.name == "pre"    ? "ratings:users=24,items=40,mean=6,least=2"
                                  : one.name == "regx" ? "packets:count=40,longest=100"
                                                       : "kronecker:scale=7,degree=8";
        if (!one.default_input.empty()) arguments.insert(arguments.end(), {"--input", input});
        const command_result result = heddle_command(arguments);
        EXPECT_EQ(result.code, 0) << one.name << ": " << result.errors;
        EXPECT_THAT(result.output, testing::ContainsRegex("check +equal")) << one.name;
    }
}

}  // namespace
}  // namespace heddle
