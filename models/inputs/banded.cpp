// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A banded matrix with about as many entries in each row, most of them far from the diagonal: the
// shape of cage15 (van Heukelum, Barkema, Bisseling: DNA electrophoresis; 19 entries a row).
#include <algorithm>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/graph_kinds.h"

namespace heddle::inputs {
namespace {

struct banded_arguments : seed_argument {
    std::uint32_t vertices = 16384;
    std::uint32_t degree = 19;
    double band = 0.25;

    void declare(parameter_list& p) {
        p.add("vertices", vertices, range(2, 1 << 30), "vertex", "Rows of the matrix");
        p.add("degree", degree, range(2, 4096), "edge",
              "Mean number of neighbours; duplicates, which are removed, take a little off it");
        p.add("band", band, range(1e-9, 1.0), "",
              "Largest distance of neighbours, as a share of the vertices");
        seed_argument::declare(p);
        p.require({"vertices", "degree"}, "vertices x degree is at most 2^30 edges",
                  [this] { return std::uint64_t{vertices} * degree <= maximum_generated; });
    }
};

/// Each vertex draws from 1 to degree - 1 neighbours of a higher number, so that half the
/// neighbours of an inner vertex are its own and half are others'. The distance is width x u^2 for
/// a uniform u: distances near 0 are the most frequent, and half the neighbours are farther than a
/// quarter of the band. Distances beyond the last vertex turn round.
graph make_banded(const banded_arguments& arguments, const std::string& origin,
                  std::uint64_t run_seed) {
    random_stream random = arguments.random("banded", run_seed);
    const double width =
        std::max(1.0, arguments.band * static_cast<double>(arguments.vertices - 1));
    edge_list list;
    list.vertices = arguments.vertices;
    list.mirrored = true;
    for (std::uint32_t v = 0; v < arguments.vertices; ++v) {
        attention::throw_if_interrupted("making a graph");
        const std::uint64_t neighbours = 1 + random.below(arguments.degree - 1);
        for (std::uint64_t i = 0; i < neighbours; ++i) {
            const double u = random.uniform();
            const auto distance = 1 + static_cast<std::uint32_t>(u * u * (width - 1));
            const bool inside = arguments.vertices - 1 - v >= distance;
            if (!inside && v < distance) continue;
            list.edges.push_back({v, inside ? v + distance : v - distance});
            list.weights.push_back(static_cast<double>(1 + random.below(100)));
        }
    }
    return build_graph(std::move(list), {treatment::remove, treatment::remove}, origin);
}

}  // namespace

graph_kind banded() {
    return make_input_kind<banded_arguments>(
        "banded",
        "Symmetric banded matrix: similar degrees, neighbours spread over the band, weights 1 to "
        "100",
        {}, make_banded);
}

}  // namespace heddle::inputs
