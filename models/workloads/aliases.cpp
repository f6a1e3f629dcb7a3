// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/workloads/registry.h"

namespace heddle::workloads {
namespace {

struct alias {
    const char* name;      ///< of the program and the input, as the papers call them
    const char* workload;  ///< that it runs
    const char* input;     ///< a generator of the same shape; nullptr for the workload's own
    std::map<std::string, std::string> preset{};
};

const std::vector<alias>& aliases() {
    static constexpr const char* citation = "powerlaw:vertices=16384,degree=4,exponent=3.5";
    static constexpr const char* usa_road = "road:width=128,height=128";
    static constexpr const char* cage15 = "banded:vertices=16384,degree=19";
    static constexpr const char* graph500 = "kronecker:scale=11,degree=16";
    static constexpr const char* flight = "hubs:vertices=4096,hubs=128";
    // 512 rows match a row on average.
    const std::map<std::string, std::string> gaussian{
        {"keys", "gaussian"}, {"left", "1024"}, {"right", "16384"}, {"different", "32"}};
    auto uniform = gaussian;
    uniform["keys"] = "uniform";
    static const std::vector<alias> table{
        {"amr/combustion",
         "amr",
         nullptr,
         {{"across", "64"}, {"flames", "12"}, {"limit", "200000"}}},
        {"bfs/cage15", "bfs_pockets", cage15},
        {"bfs/citation", "bfs_pockets", citation},
        {"bfs/usa_road", "bfs_pockets", usa_road},
        {"bht/random", "bht", nullptr, {{"bodies", "20480"}, {"theta", "1.3"}}},
        {"clr/cage15", "clr", cage15},
        {"clr/citation", "clr", citation},
        {"clr/graph500", "clr", graph500},
        {"join/gaussian", "join", nullptr, gaussian},
        {"join/uniform", "join", nullptr, uniform},
        {"pre/movielens", "pre", "ratings:users=472,items=421,mean=53,least=10"},
        {"regx/darpa", "regx", "packets:count=4096"},
        {"regx/string", "regx", "strings:count=4096"},
        {"sssp/cage15", "sssp", cage15},
        {"sssp/citation", "sssp", citation},
        {"sssp/flight", "sssp", flight}};
    return table;
}

}  // namespace

const std::vector<workload>& workload_aliases() {
    static const std::vector<workload> table = [] {
        std::vector<workload> made;
        for (const alias& one : aliases()) {
            const auto& all = all_workloads();
            workload renamed = *std::find_if(
                all.begin(), all.end(),
                [&](const workload& candidate) { return candidate.name == one.workload; });
            renamed.alias_of = renamed.name;
            renamed.name = one.name;
            if (one.input != nullptr) renamed.default_input = one.input;
            renamed.preset = one.preset;
            made.push_back(std::move(renamed));
        }
        return made;
    }();
    return table;
}

}  // namespace heddle::workloads
