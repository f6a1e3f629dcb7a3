// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/degree_statistics.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "models/base/text_table.h"

namespace heddle::inputs {
namespace {

/// Mean of the middle two values (which are one for an odd count), from counts by value.
double median(const std::vector<std::uint32_t>& vertices_of_degree, std::uint64_t vertices) {
    const auto value_at = [&](std::uint64_t rank) {
        std::uint64_t seen = 0;
        std::size_t degree = 0;
        while ((seen += vertices_of_degree[degree]) <= rank) ++degree;
        return static_cast<double>(degree);
    };
    return (value_at((vertices - 1) / 2) + value_at(vertices / 2)) / 2;
}

}  // namespace

degree_statistics degrees_of(const graph& counted) {
    degree_statistics result;
    result.vertices = counted.vertex_count();
    result.edges = counted.edge_count();
    std::vector<bool> linked(result.vertices);
    for (std::uint32_t v = 0; v < result.vertices; ++v) {
        result.degrees.add(counted.degree(v));
        for (const std::uint32_t target : counted.neighbours(v)) {
            if (target == v) {
                ++result.self_loops;
            } else {
                linked[v] = linked[target] = true;
            }
        }
    }
    for (const bool is_linked : linked) result.isolated += is_linked ? 0 : 1;
    result.minimum = static_cast<std::uint32_t>(result.degrees.minimum());
    result.maximum = static_cast<std::uint32_t>(result.degrees.maximum());
    result.mean = result.degrees.mean();

    std::vector<std::uint32_t> vertices_of_degree(std::size_t{result.maximum} + 1);
    double squares = 0;
    for (std::uint32_t v = 0; v < result.vertices; ++v) {
        const std::uint32_t degree = counted.degree(v);
        ++vertices_of_degree[degree];
        squares += (degree - result.mean) * (degree - result.mean);
    }
    result.median = median(vertices_of_degree, result.vertices);
    result.standard_deviation = std::sqrt(squares / result.vertices);
    return result;
}

std::string describe(const graph& described) {
    const degree_statistics s = degrees_of(described);
    std::string text = fmt::format(
        "{}\n{} vertices, {} stored edges, {}, {}\n"
        "degree: minimum {}, median {}, mean {:.2f}, maximum {}, standard deviation {:.2f}\n"
        "isolated vertices {}, self-loops {}\n",
        described.origin, s.vertices, s.edges, described.undirected ? "undirected" : "directed",
        described.weighted() ? "weighted" : "unweighted", s.minimum, s.median, s.mean, s.maximum,
        s.standard_deviation, s.isolated, s.self_loops);
    using align = text_table::align;
    text_table table({{"degree", align::right}, {"vertices", align::right}, {"%", align::right}});
    for (const histogram::bin& bin : s.degrees.bins()) {
        const std::string degrees =
            bin.low < 2 ? std::to_string(bin.low) : fmt::format("{}-{}", bin.low, 2 * bin.low - 1);
        const double share = 100.0 * static_cast<double>(bin.count) / s.vertices;
        table.add_row({degrees, std::to_string(bin.count), fmt::format("{:.2f}", share)});
    }
    return text + table.str();
}

}  // namespace heddle::inputs
