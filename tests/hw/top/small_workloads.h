// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/workloads/registry.h"

namespace heddle {

/// Small, but with more blocks than the smallest machine holds and a partial last one.
inline workloads::workload_options small_options(const std::string& workload) {
    static const std::map<std::string, std::map<std::string, std::string>> sizes{
        {"amr", {{"across", "5"}, {"levels", "1"}}},
        {"atax", {{"rows", "150"}, {"columns", "70"}, {"block", "64"}}},
        {"audit", {{"block", "60"}, {"blocks", "20"}}},
        {"bandwidth", {{"size", "20000"}, {"batches", "2"}, {"block", "64"}}},
        {"barrier", {{"rounds", "3"}}},
        {"bfs", {{"block", "64"}}},
        {"bfs_pockets", {{"block", "64"}}},
        {"bht", {{"bodies", "100"}, {"leaf", "20"}}},
        {"bicg", {{"rows", "70"}, {"columns", "150"}, {"block", "64"}}},
        {"bitonic", {{"arrays", "18"}, {"size", "128"}, {"block", "96"}}},
        {"black", {{"options", "1500"}, {"block", "100"}}},
        {"children", {{"launches", "100"}, {"each", "3"}}},
        {"clr", {{"block", "64"}}},
        {"color", {{"block", "64"}}},
        {"compute", {{"n", "1500"}, {"rounds", "32"}}},
        {"contrived", {{"n", "1500"}, {"iterations", "9"}}},
        {"divergence", {{"n", "700"}}},
        {"fft", {{"arrays", "150"}, {"side", "4"}, {"block", "64"}}},
        {"gc", {{"block", "60"}, {"blocks", "20"}, {"version", "lock"}}},
        {"game", {{"plies", "4"}, {"below", "2"}}},
        {"histogram", {{"n", "10000"}, {"bins", "100"}, {"skew", "20"}}},
        {"hmmer", {{"sequences", "300"}, {"nodes", "5"}, {"longest", "9"}, {"block", "64"}}},
        {"ht", {{"block", "60"}, {"blocks", "20"}, {"version", "lock"}}},
        {"it", {{"block", "60"}, {"blocks", "20"}, {"version", "lock"}}},
        {"join", {{"left", "300"}, {"right", "500"}, {"keys", "gaussian"}}},
        {"km", {{"block", "60"}, {"blocks", "20"}, {"version", "lock"}}},
        {"l_bfs", {{"block", "64"}}},
        {"l_sssp", {{"block", "64"}}},
        {"laplace", {{"nx", "50"}, {"ny", "21"}, {"nz", "5"}, {"iterations", "2"}}},
        {"latency", {{"footprint", "1024"}, {"rounds", "2"}}},
        {"launch", {{"launches", "3"}, {"blocks", "100"}}},
        {"lbm", {{"nx", "13"}, {"ny", "11"}, {"nz", "6"}, {"iterations", "2"}, {"block", "64"}}},
        {"ledgers", {{"books", "70"}, {"longest", "60"}}},
        {"lock", {{"n", "300"}, {"locks", "7"}}},
        {"lps", {{"nx", "50"}, {"ny", "21"}, {"nz", "5"}, {"iterations", "2"}}},
        {"lu", {{"matrices", "18"}, {"tiles", "6"}, {"tile", "3"}, {"block", "30"}}},
        {"matrix", {{"rows", "37"}, {"columns", "50"}, {"inner", "41"}}},
        {"mis", {{"block", "64"}}},
        {"montecarlo", {{"options", "9"}, {"paths", "500"}, {"block", "64"}}},
        {"mvt", {{"rows", "80"}, {"columns", "130"}, {"block", "64"}}},
        {"octree", {{"points", "600"}, {"threshold", "8"}, {"block", "64"}}},
        {"octree_pockets", {{"points", "600"}, {"leaf", "8"}, {"block", "64"}}},
        {"p_sssp", {{"block", "64"}}},
        {"pathfinder", {{"columns", "700"}, {"rows", "16"}, {"steps", "8"}, {"block", "128"}}},
        {"pre", {{"block", "32"}}},
        {"reduction", {{"n", "10001"}, {"type", "unsigned"}}},
        {"regx", {{"block", "32"}, {"section", "50"}}},
        {"saxpy", {{"n", "10001"}}},
        {"sobolqrng", {{"points", "700"}, {"dimensions", "5"}}},
        {"sssp", {{"block", "64"}}},
        {"stencil", {{"nx", "50"}, {"ny", "21"}, {"nz", "5"}, {"iterations", "2"}}},
        {"throughput", {{"rounds", "1"}}},
        {"transpose", {{"rows", "70"}, {"columns", "91"}}},
        {"uts", {{"roots", "16"}, {"block", "64"}}}};
    static const std::map<std::string, std::string> inputs{
        {"bfs", "kronecker:scale=8,degree=8"},
        {"bfs_pockets", "kronecker:scale=8,degree=8"},
        {"clr", "kronecker:scale=6,degree=4"},
        {"color", "circuit:vertices=150"},
        {"l_bfs", "kronecker:scale=7,degree=8"},
        {"l_sssp", "hubs:vertices=300,hubs=9"},
        {"mis", "circuit:vertices=150"},
        {"p_sssp", "hubs:vertices=300,hubs=9"},
        {"pre", "ratings:users=40,items=30,mean=6,least=2"},
        {"regx", "packets:count=70,longest=200"},
        {"sssp", "hubs:vertices=300,hubs=9"}};
    workloads::workload_options options;
    options.seed = 5;
    if (inputs.count(workload) != 0) options.input = inputs.at(workload);
    options.values = sizes.at(workload);
    return options;
}

/// Without an option for a version that does without.
inline bool needs_transactions(const std::string& workload) {
    return workload == "audit" || workload == "uts";
}

inline std::vector<std::string> workload_names() {
    std::vector<std::string> names;
    for (const workloads::workload& w : workloads::all_workloads()) names.push_back(w.name);
    return names;
}

}  // namespace heddle
