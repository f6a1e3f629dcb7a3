// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A citation network by cumulative advantage (Price, "A general theory of bibliometric and other
// cumulative advantage processes", J. Am. Soc. Inf. Sci. 27, 1976): papers appear one by one and
// cite earlier ones. A reference repeats a random earlier reference with probability p and else
// picks a random earlier paper; the citations of a paper then follow a power law of exponent
// 1 + 1/p.
#include <algorithm>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/graph_kinds.h"

namespace heddle::inputs {
namespace {

struct powerlaw_arguments : seed_argument {
    std::uint32_t vertices = 16384;
    std::uint32_t degree = 4;
    double exponent = 3;
    bool undirected = true;
    edge_rules rules{treatment::remove, treatment::remove};

    void declare(parameter_list& p) {
        p.add("vertices", vertices, range(2, 1 << 30), "vertex", "Number of papers");
        p.add(
            "degree", degree, range(1, 4096), "edge",
            "Mean number of references of a paper; the number is uniform from 1 to 2 * degree - 1");
        p.add("exponent", exponent, range(2.1, 10.0), "",
              "Exponent of the power law that the degrees follow");
        p.add("undirected", undirected,
              "Store each edge in both directions; otherwise from the citing to the cited paper");
        seed_argument::declare(p);
        rules.declare(p);
        p.require({"vertices", "degree"}, "vertices x degree is at most 2^30 edges",
                  [this] { return std::uint64_t{vertices} * degree <= maximum_generated; });
    }
};

graph make_powerlaw(const powerlaw_arguments& arguments, const std::string& origin,
                    std::uint64_t run_seed) {
    random_stream random = arguments.random("powerlaw", run_seed);
    const double repeating = 1 / (arguments.exponent - 1);
    edge_list list;
    list.vertices = arguments.vertices;
    list.edges.reserve(std::uint64_t{arguments.vertices} * arguments.degree);
    for (std::uint32_t paper = 1; paper < arguments.vertices; ++paper) {
        attention::throw_if_interrupted("making a graph");
        const std::uint64_t drawn = 1 + random.below(2 * arguments.degree - 1);
        const std::uint64_t references = std::min<std::uint64_t>(drawn, paper);
        for (std::uint64_t i = 0; i < references; ++i) {
            const bool repeats = random.chance(repeating) && !list.edges.empty();
            const auto cited = repeats ? list.edges[random.below(list.edges.size())].target
                                       : static_cast<std::uint32_t>(random.below(paper));
            list.edges.push_back({paper, cited});
        }
    }
    permute_vertices(list, random);
    list.mirrored = arguments.undirected;
    return build_graph(std::move(list), arguments.rules, origin);
}

}  // namespace

graph_kind powerlaw() {
    return make_input_kind<powerlaw_arguments>(
        "powerlaw", "Citation network by cumulative advantage, vertices permuted", {},
        make_powerlaw);
}

}  // namespace heddle::inputs
