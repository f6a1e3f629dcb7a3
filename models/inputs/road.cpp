// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A road network: crossings on a perturbed grid, joined by a random spanning tree and by as many
// of the remaining streets as the mean degree asks for. Connected, planar, degrees 1 to 4, a
// diameter in the order of width + height or more. The road network of the USA (9th DIMACS
// Implementation Challenge) has mean degree 2.4.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/graph_kinds.h"

namespace heddle::inputs {
namespace {

struct road_arguments : seed_argument {
    std::uint32_t width = 256;
    std::uint32_t height = 256;
    double degree = 2.4;

    void declare(parameter_list& p) {
        p.add("width", width, range(2, 1 << 20), "vertex", "Crossings from west to east");
        p.add("height", height, range(2, 1 << 20), "vertex", "Crossings from north to south");
        p.add("degree", degree, range(2.0, 4.0), "edge",
              "Mean degree of a crossing; 2: a tree, 4: every street of the grid");
        seed_argument::declare(p);
        p.require({"width", "height"}, "width x height is at most 2^29 crossings",
                  [this] { return 2 * crossings() <= maximum_generated; });
    }
    [[nodiscard]] std::uint64_t crossings() const { return std::uint64_t{width} * height; }
};

/// Sets of crossings that the streets so far connect.
class connected_sets {
public:
    explicit connected_sets(std::uint64_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    /// False if they were connected before.
    bool connect(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
        return a != b;
    }

private:
    std::uint32_t root(std::uint32_t v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }
    std::vector<std::uint32_t> parent_;
};

/// Every street of the grid; crossings are numbered row by row.
std::vector<edge> grid_streets(std::uint32_t width, std::uint32_t height) {
    std::vector<edge> streets;
    streets.reserve(2 * std::uint64_t{width} * height);
    for (std::uint32_t y = 0; y < height; ++y) {
        attention::throw_if_interrupted("making a graph");
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::uint32_t here = y * width + x;
            if (x + 1 < width) streets.push_back({here, here + 1});
            if (y + 1 < height) streets.push_back({here, here + width});
        }
    }
    return streets;
}

/// A random spanning tree (Kruskal's on streets in random order), then others up to `wanted`.
std::vector<edge> choose_streets(std::vector<edge> streets, std::uint64_t crossings,
                                 std::uint64_t wanted, random_stream& random) {
    shuffle(streets, random);
    connected_sets sets(crossings);
    std::vector<edge> others;
    std::uint64_t chosen = 0;
    for (const edge& street : streets) {
        attention::throw_if_interrupted("making a graph");
        if (sets.connect(street.source, street.target)) {
            streets[chosen++] = street;  // not behind the one being read
        } else if (others.size() + crossings - 1 < wanted) {
            others.push_back(street);
        }
    }
    streets.resize(chosen);
    streets.insert(streets.end(), others.begin(), others.end());
    return streets;
}

/// Length of each street in hundredths of the grid's spacing, at least 1. Crossings lie up to 0.3
/// off the grid's, so that streets don't cross elsewhere.
std::vector<double> lengths(const std::vector<edge>& streets, const road_arguments& arguments,
                            random_stream& random) {
    struct point {
        float x, y;
    };
    std::vector<point> places(arguments.crossings());
    for (point& place : places) {
        place.x = static_cast<float>(0.6 * random.uniform() - 0.3);
        place.y = static_cast<float>(0.6 * random.uniform() - 0.3);
    }
    std::vector<double> result;
    result.reserve(streets.size());
    for (const auto& [from, to] : streets) {
        const bool eastward = to == from + 1;  // width is at least 2
        const double x = (eastward ? 1.0 : 0.0) + places[to].x - places[from].x;
        const double y = (eastward ? 0.0 : 1.0) + places[to].y - places[from].y;
        result.push_back(std::max(1.0, std::floor(100 * std::sqrt(x * x + y * y) + 0.5)));
    }
    return result;
}

graph make_road(const road_arguments& arguments, const std::string& origin,
                std::uint64_t run_seed) {
    random_stream random = arguments.random("road", run_seed);
    const std::uint64_t crossings = arguments.crossings();
    const auto wanted = static_cast<std::uint64_t>(
        std::floor(arguments.degree * static_cast<double>(crossings) / 2 + 0.5));
    edge_list list;
    list.vertices = crossings;
    list.edges =
        choose_streets(grid_streets(arguments.width, arguments.height), crossings, wanted, random);
    list.weights = lengths(list.edges, arguments, random);
    list.mirrored = true;
    return build_graph(std::move(list), {}, origin);
}

}  // namespace

graph_kind road() {
    return make_input_kind<road_arguments>(
        "road", "Road network: planar, connected, low degree, large diameter, weighted", {},
        make_road);
}

}  // namespace heddle::inputs
