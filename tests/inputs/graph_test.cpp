// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The graph type, its validation and its degree statistics.
#include "models/inputs/graph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "models/base/error.h"
#include "models/base/random.h"
#include "models/inputs/degree_statistics.h"
#include "models/inputs/graph_builder.h"
#include "tests/inputs/input_files.h"

namespace heddle::inputs {
namespace {

/// 0 - 1, 0 - 2 undirected, weighted; 3 isolated.
graph small_graph() {
    return {"small", {0, 2, 3, 4, 4}, {1, 2, 0, 0}, {5, 6, 5, 6}, true};
}

std::string violation(const std::function<void(graph&)>& change) {
    graph g = small_graph();
    change(g);
    try {
        validate(g);
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "valid";
}

TEST(graph, validation_accepts_a_good_graph) {
    EXPECT_EQ(violation([](graph&) {}), "valid");
    EXPECT_EQ(violation([](graph& g) { g.weights.clear(); }), "valid");
}

TEST(graph, validation_names_the_first_violation) {
    EXPECT_EQ(violation([](graph& g) { g.offsets = {0}; }),
              "graph small: 1 offsets, expected 2 to 4294967295");
    EXPECT_EQ(violation([](graph& g) { g.offsets[0] = 1; }),
              "graph small: the first offset is not 0");
    EXPECT_EQ(violation([](graph& g) { g.offsets[2] = 5; }),
              "graph small: the offset of vertex 3 is 4, expected at least 5");
    EXPECT_EQ(violation([](graph& g) { g.targets.pop_back(); }),
              "graph small: the last offset is 4, expected the number of edges, 3");
    EXPECT_EQ(violation([](graph& g) { g.weights.pop_back(); }),
              "graph small: 3 weights for 4 edges");
    EXPECT_EQ(violation([](graph& g) { g.targets[3] = 4; }),
              "graph small: edge 3 enters vertex 4, expected less than 4");
    EXPECT_EQ(violation([](graph& g) { std::swap(g.targets[0], g.targets[1]); }),
              "graph small: the neighbours of vertex 0 are not in ascending order at edge 1");
    EXPECT_EQ(violation([](graph& g) { g.targets[3] = 3; }),
              "graph small: undirected, but the edge 0 -> 2 has no reverse of the same weight");
    EXPECT_EQ(violation([](graph& g) { g.weights[2] = 6; }),
              "graph small: undirected, but the edge 0 -> 1 has no reverse of the same weight");
}

TEST(graph, the_lowest_one_way_edge_of_random_graphs) {
    random_stream random(1, "graph_test");
    for (int round = 0; round < 300; ++round) {
        const auto vertices = static_cast<std::uint32_t>(1 + random.below(6));
        edge_list list{vertices, {}, {}, random.chance(0.5)};
        for (std::uint64_t i = random.below(12); i > 0; --i) {
            list.edges.push_back({static_cast<std::uint32_t>(random.below(vertices)),
                                  static_cast<std::uint32_t>(random.below(vertices))});
        }
        const graph g = build_graph(list, {}, "random");
        validate(g);
        const auto times = [&](std::uint32_t u, std::uint32_t v) {
            const auto row = g.neighbours(u);
            return std::count(row.begin(), row.end(), v);
        };
        std::pair<std::uint32_t, std::uint32_t> expected{vertices, vertices};
        for (std::uint32_t u = 0; u < vertices && expected.first == vertices; ++u) {
            for (std::uint32_t v = 0; v < vertices && expected.first == vertices; ++v) {
                if (times(u, v) > times(v, u)) expected = {u, v};
            }
        }
        EXPECT_EQ(find_one_way_edge(g), expected);
    }
}

TEST(graph, building_refuses_what_does_not_fit) {
    EXPECT_THROW((void)build_graph({}, {}, "empty"), configuration_error);
    EXPECT_THROW((void)build_graph({maximum_vertices + 1, {}, {}, false}, {}, "many"),
                 configuration_error);
}

TEST(degrees, of_a_small_graph) {
    const degree_statistics s = degrees_of(small_graph());
    EXPECT_EQ(s.vertices, 4U);
    EXPECT_EQ(s.edges, 4U);
    EXPECT_EQ(s.degrees.minimum, 0U);
    EXPECT_EQ(s.degrees.maximum, 2U);
    EXPECT_EQ(s.degrees.mean, 1);
    EXPECT_EQ(s.degrees.median, 1);
    EXPECT_DOUBLE_EQ(s.degrees.standard_deviation, std::sqrt(0.5));
    EXPECT_EQ(s.isolated, 1U);
    EXPECT_EQ(s.self_loops, 0U);
    ASSERT_EQ(s.degrees.values.bins().size(), 3U);  // 0, 1, 2-3
    EXPECT_EQ(s.degrees.values.bins()[2].count, 1U);
}

TEST(degrees, median_of_an_even_count_lies_between) {
    // Degrees 0, 1, 2, 3.
    const graph g = build_graph({4, {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}}, {}, false},
                                {}, "staircase");
    EXPECT_EQ(degrees_of(g).degrees.median, 1.5);
    EXPECT_EQ(degrees_of(g).isolated, 0U);  // vertex 0 is entered
}

TEST(degrees, a_self_loop_alone_leaves_a_vertex_isolated) {
    const degree_statistics s = degrees_of(build_graph({2, {{0, 0}}, {}, false}, {}, "loop"));
    EXPECT_EQ(s.isolated, 2U);
    EXPECT_EQ(s.self_loops, 1U);
}

TEST(degrees, printed) {
    EXPECT_EQ(describe(small_graph()),
              "small\n"
              "4 vertices, 4 stored edges, undirected, weighted\n"
              "degree: minimum 0, median 1, mean 1.00, maximum 2, standard deviation 0.71\n"
              "isolated vertices 1, self-loops 0\n"
              "degree  vertices      %\n"
              "------  --------  -----\n"
              "     0         1  25.00\n"
              "     1         2  50.00\n"
              "   2-3         1  25.00\n");
}

}  // namespace
}  // namespace heddle::inputs
