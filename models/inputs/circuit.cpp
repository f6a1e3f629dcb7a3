// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A circuit: resistors between neighbours of a mesh, and a few wires across the chip. Almost all
// vertices have the same degree, and few steps lead from one to any other: the shape of G3_circuit
// (AMD, in the SuiteSparse collection: 1.6 M rows, 7.7 M entries, so 3.8 neighbours a row).
#include <algorithm>
#include <cmath>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/graph_kinds.h"

namespace heddle::inputs {
namespace {

struct circuit_arguments : seed_argument {
    std::uint32_t vertices = 16384;
    double degree = 3.8;
    double far = 0.05;

    void declare(parameter_list& p) {
        p.add("vertices", vertices, range(4, 1 << 28), "vertex", "Nodes of the circuit");
        p.add("degree", degree, range(0.0, 4.0), "edge",
              "Mean number of neighbours; those at the rim have fewer");
        p.add("far", far, range(0.0, 1.0), "", "Share of the edges that lead to a random vertex");
        seed_argument::declare(p);
    }
};

/// Vertices are numbered row by row of a mesh that is as wide as high. Each has an edge to the next
/// one in its row and in its column, with the probability that gives the degree.
graph make_circuit(const circuit_arguments& arguments, const std::string& origin,
                   std::uint64_t run_seed) {
    random_stream random = arguments.random("circuit", run_seed);
    const auto width = static_cast<std::uint32_t>(
        std::max(1.0, std::floor(std::sqrt(static_cast<double>(arguments.vertices)))));
    edge_list list;
    list.vertices = arguments.vertices;
    list.mirrored = true;
    for (std::uint32_t v = 0; v < arguments.vertices; ++v) {
        attention::throw_if_interrupted("making a graph");
        for (const std::uint32_t distance : {1U, width}) {
            const bool wraps = distance == 1 && v % width == width - 1;
            if (wraps || arguments.vertices - v <= distance) continue;
            if (!random.chance(arguments.degree / 4)) continue;
            const bool is_far = random.chance(arguments.far);
            const auto anywhere = static_cast<std::uint32_t>(random.below(arguments.vertices));
            list.edges.push_back({v, is_far ? anywhere : v + distance});
        }
    }
    return build_graph(std::move(list), {treatment::remove, treatment::remove}, origin);
}

}  // namespace

graph_kind circuit() {
    return make_input_kind<circuit_arguments>(
        "circuit", "Mesh of resistors with a few wires across: similar degrees, small diameter", {},
        make_circuit);
}

}  // namespace heddle::inputs
