// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// R-MAT: each edge picks a quadrant of the adjacency matrix, a quadrant of that, and so on
// (Chakrabarti, Zhan, Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004). Graph500's
// Kronecker generator is the same with fixed probabilities, vertices permuted, edges undirected
// (Graph500 specification, section 3.2).
#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/graph_kinds.h"

namespace heddle::inputs {
namespace {

/// Probabilities of the upper left, upper right and lower left quadrant; the rest is the lower
/// right one's.
struct quadrants {
    double a, b, c;
};

struct size_arguments : seed_argument {
    std::uint32_t scale = 14;
    std::uint32_t degree = 16;
    edge_rules rules{treatment::remove, treatment::remove};

    void declare(parameter_list& p) {
        p.add("scale", scale, range(1, 30), "", "Binary logarithm of the number of vertices");
        p.add("degree", degree, range(1, 4096), "edge",
              "Generated edges for each vertex, duplicates and self-loops included");
        seed_argument::declare(p);
        rules.declare(p);
        p.require({"scale", "degree"}, "2^scale x degree is at most 2^30 edges",
                  [this] { return edges() <= maximum_generated; });
    }
    [[nodiscard]] std::uint64_t edges() const { return std::uint64_t{degree} << scale; }
};

edge_list recursive_edges(const size_arguments& size, const quadrants& p, random_stream& random) {
    // 32 bits decide a level, so that one draw serves two. The thresholds are exact.
    constexpr double full = 4294967296.0;
    const auto a = static_cast<std::uint64_t>(p.a * full);
    const auto ab = static_cast<std::uint64_t>((p.a + p.b) * full);
    const auto abc = static_cast<std::uint64_t>((p.a + p.b + p.c) * full);
    edge_list list;
    list.vertices = std::uint64_t{1} << size.scale;
    list.edges.reserve(size.edges());
    while (list.edges.size() < size.edges()) {
        attention::throw_if_interrupted("making a graph");
        edge e{0, 0};
        std::uint64_t bits = 0;
        for (std::uint32_t level = 0; level < size.scale; ++level) {
            bits = level % 2 == 0 ? random.next() : bits >> 32;
            const std::uint64_t draw = bits & 0xffffffffU;
            const std::uint32_t lower = draw >= ab ? 1 : 0;
            const std::uint32_t upper_right = draw >= a ? 1 : 0;
            const std::uint32_t lower_right = draw >= abc ? 1 : 0;
            e.source = 2 * e.source + lower;
            e.target = 2 * e.target + (upper_right - lower + lower_right);
        }
        list.edges.push_back(e);
    }
    return list;
}

using kronecker_arguments = size_arguments;

graph make_kronecker(const kronecker_arguments& arguments, const std::string& origin,
                     std::uint64_t run_seed) {
    random_stream random = arguments.random("kronecker", run_seed);
    edge_list list = recursive_edges(arguments, {0.57, 0.19, 0.19}, random);
    permute_vertices(list, random);
    list.mirrored = true;
    return build_graph(std::move(list), arguments.rules, origin);
}

struct rmat_arguments : size_arguments {
    quadrants p{0.45, 0.15, 0.15};
    bool undirected = false;

    void declare(parameter_list& list) {
        size_arguments::declare(list);
        list.add("a", p.a, range(0.0, 1.0), "", "Probability of the upper left quadrant");
        list.add("b", p.b, range(0.0, 1.0), "", "Probability of the upper right quadrant");
        list.add("c", p.c, range(0.0, 1.0), "", "Probability of the lower left quadrant");
        list.add("undirected", undirected, "Store each edge in both directions");
        // Decimal fractions that add up to 1 may miss it by rounding.
        list.require({"a", "b", "c"}, "a + b + c is at most 1",
                     [this] { return p.a + p.b + p.c <= 1.0 + 1e-12; });
    }
};

graph make_rmat(const rmat_arguments& arguments, const std::string& origin,
                std::uint64_t run_seed) {
    random_stream random = arguments.random("rmat", run_seed);
    edge_list list = recursive_edges(arguments, arguments.p, random);
    list.mirrored = arguments.undirected;
    return build_graph(std::move(list), arguments.rules, origin);
}

}  // namespace

graph_kind kronecker() {
    return make_input_kind<kronecker_arguments>(
        "kronecker", "Graph500: R-MAT .57 .19 .19 .05, vertices permuted, undirected", {},
        make_kronecker);
}

graph_kind rmat() {
    return make_input_kind<rmat_arguments>(
        "rmat", "R-MAT with the probabilities a, b, c and d = 1 - a - b - c, vertices not permuted",
        {}, make_rmat);
}

}  // namespace heddle::inputs
