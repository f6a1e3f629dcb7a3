// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A network of flights: some hubs, most pairs of which have a flight, and airports with flights to
// a few hubs each. Popular hubs get more of them (Zipf, flattened at the top: the most popular one
// of the defaults has about a fifteenth of the airports).
#include <algorithm>
#include <cmath>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/graph_kinds.h"
#include "models/inputs/zipf.h"

namespace heddle::inputs {
namespace {

struct hubs_arguments : seed_argument {
    std::uint32_t vertices = 4096;
    std::uint32_t hubs = 128;
    std::uint32_t flights = 3;
    double between = 0.6;

    void declare(parameter_list& p) {
        p.add("vertices", vertices, range(2, 1 << 28), "vertex", "Airports, hubs included");
        p.add("hubs", hubs, range(1, 4096), "vertex", "Hubs");
        p.add("flights", flights, range(1, 1024), "edge",
              "Most flights of an airport to hubs; the number is uniform from 1 on");
        p.add("between", between, range(0.0, 1.0), "", "Share of the pairs of hubs with a flight");
        seed_argument::declare(p);
        p.require({"hubs", "vertices"}, "hubs is less than vertices",
                  [this] { return hubs < vertices; });
        p.require({"vertices", "flights"}, "vertices x flights is at most 2^30 edges",
                  [this] { return std::uint64_t{vertices} * flights <= maximum_generated; });
    }
};

/// Places in a square of side 10000.
struct places {
    places(std::uint32_t count, random_stream& random) : x(count), y(count) {
        for (std::uint32_t v = 0; v < count; ++v) {
            x[v] = static_cast<float>(10000 * random.uniform());
            y[v] = static_cast<float>(10000 * random.uniform());
        }
    }
    /// Length of a flight, at least 1.
    [[nodiscard]] double length(const edge& flight) const {
        const double dx = double{x[flight.source]} - x[flight.target];
        const double dy = double{y[flight.source]} - y[flight.target];
        return std::max(1.0, std::floor(std::sqrt(dx * dx + dy * dy) + 0.5));
    }
    std::vector<float> x, y;
};

graph make_hubs(const hubs_arguments& arguments, const std::string& origin,
                std::uint64_t run_seed) {
    random_stream random = arguments.random("hubs", run_seed);
    const places where(arguments.vertices, random);
    edge_list list;
    list.vertices = arguments.vertices;
    list.mirrored = true;
    const auto fly = [&](std::uint32_t from, std::uint32_t to) {
        list.edges.push_back({from, to});
        list.weights.push_back(where.length(list.edges.back()));
    };
    for (std::uint32_t a = 0; a < arguments.hubs; ++a) {
        for (std::uint32_t b = a + 1; b < arguments.hubs; ++b) {
            if (random.chance(arguments.between)) fly(a, b);
        }
    }
    const zipf popularity(arguments.hubs, 1 + arguments.hubs / 6.0);
    for (std::uint32_t airport = arguments.hubs; airport < arguments.vertices; ++airport) {
        attention::throw_if_interrupted("making a graph");
        const std::uint64_t flights = 1 + random.below(arguments.flights);
        for (std::uint64_t i = 0; i < flights; ++i) fly(airport, popularity.draw(random));
    }
    permute_vertices(list, random);
    return build_graph(std::move(list), {treatment::remove, treatment::remove}, origin);
}

}  // namespace

graph_kind hubs() {
    return make_input_kind<hubs_arguments>("hubs",
                                           "Network of flights: some hubs, other airports with "
                                           "flights to a few of them only, weighted",
                                           {}, make_hubs);
}

}  // namespace heddle::inputs
