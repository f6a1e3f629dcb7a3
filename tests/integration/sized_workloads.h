// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/heddle_process.h"

namespace heddle {

using words = std::vector<std::string>;

/// A workload that uses no launches, transactions or cooperative calls, in a size that runs in
/// about a second on any configuration.
struct sized_workload {
    const char* name;
    words options;
    bool race_free;  ///< its thread instructions do not depend on time
};
inline const sized_workload sized_workloads[] = {
    {"barrier", {"rounds=2"}, true},
    {"bfs", {}, false},
    {"bitonic", {"arrays=2", "size=256"}, true},
    {"black", {"options=512"}, true},
    {"contrived", {"n=256", "iterations=10"}, true},
    {"divergence", {"n=256"}, true},
    {"fft", {"arrays=8", "side=8"}, true},
    {"gc", {"version=lock", "block=64", "blocks=2", "rounds=1", "contention=low"}, false},
    {"histogram", {"n=4096", "blocks=8"}, true},
    {"hmmer", {"sequences=64", "nodes=6"}, true},
    {"ht", {"version=lock", "block=64", "blocks=2"}, false},
    {"it", {"version=lock", "block=64", "blocks=2"}, false},
    {"km", {"version=lock", "block=64", "blocks=2", "rounds=1"}, false},
    {"lbm", {"nx=12", "ny=10", "nz=5"}, true},
    {"lock", {"n=256", "rounds=2"}, false},
    {"lu", {"matrices=2", "tiles=5"}, true},
    {"matrix", {"rows=32", "columns=32", "inner=32"}, true},
    {"octree", {"points=600", "threshold=8"}, false},
    {"pathfinder", {"columns=1024", "rows=11"}, true},
    {"transpose", {"rows=64", "columns=64"}, true},
};

inline words run_of(const sized_workload& workload, const words& more) {
    words arguments{"run", workload.name};
    for (const std::string& option : workload.options) {
        arguments.insert(arguments.end(), {"--option", option});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

inline std::uint64_t count_of(const char* statistic, const std::string& statistics_file) {
    const auto all = nlohmann::json::parse(contents_of(statistics_file));
    return all.at("statistics").at(statistic).at("value").get<std::uint64_t>();
}

}  // namespace heddle
