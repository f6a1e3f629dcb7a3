// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Generators: size, shape, reproducibility, and what is said about wrong arguments.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "models/inputs/degree_statistics.h"
#include "models/inputs/input_file.h"
#include "models/inputs/load_graph.h"
#include "tests/inputs/input_files.h"

namespace heddle::inputs {
namespace {

using testing::HasSubstr;

/// FNV-1a over the words of offsets, targets and weights (which are integers below 2^32).
std::uint64_t checksum(const graph& g) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&](std::uint32_t word) { hash = (hash ^ word) * 0x100000001b3U; };
    for (const std::uint32_t offset : g.offsets) add(offset);
    for (const std::uint32_t target : g.targets) add(target);
    for (const double weight : g.weights) add(static_cast<std::uint32_t>(weight));
    return hash;
}

/// Hops from `source`; the largest 32-bit number where there is no path.
std::vector<std::uint32_t> distances(const graph& g, std::uint32_t source) {
    std::vector<std::uint32_t> distance(g.vertex_count(),
                                        std::numeric_limits<std::uint32_t>::max());
    std::vector<std::uint32_t> queue{source};
    distance[source] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const std::uint32_t v : g.neighbours(queue[i])) {
            if (distance[v] != std::numeric_limits<std::uint32_t>::max()) continue;
            distance[v] = distance[queue[i]] + 1;
            queue.push_back(v);
        }
    }
    return distance;
}

bool has_duplicates(const graph& g) {
    for (std::uint32_t v = 0; v < g.vertex_count(); ++v) {
        const auto row = g.neighbours(v);
        if (std::adjacent_find(row.begin(), row.end()) != row.end()) return true;
    }
    return false;
}

/// Vertices of a degree of at least `degree`.
double share_from(const graph& g, std::uint32_t degree) {
    double count = 0;
    for (std::uint32_t v = 0; v < g.vertex_count(); ++v) count += g.degree(v) >= degree ? 1 : 0;
    return count / g.vertex_count();
}

TEST(generator, the_same_text_and_seed_make_the_same_graph_on_every_host) {
    const std::pair<const char*, std::uint64_t> known[] = {
        {"kronecker:scale=8", 3005965343377256925U},
        {"rmat:scale=7,degree=8", 6875418119135035679U},
        {"road:width=20,height=30", 17573245985728682283U},
        {"powerlaw:vertices=500", 5664045369819317643U},
        {"banded:vertices=500", 1537491250701487999U},
        {"circuit:vertices=500", 7519568814559051635U},
        {"hubs:vertices=500", 7452053746845376281U},
        {"ratings:users=50,items=100,mean=20,least=5", 13445996182221896306U},
    };
    for (const auto& [text, sum] : known) {
        SCOPED_TRACE(text);
        const graph g = load_graph(text, 42);
        EXPECT_EQ(checksum(g), sum);
        EXPECT_NE(checksum(load_graph(text, 43)), sum);
        // The argument wins over the run's seed, and the origin repeats the graph.
        EXPECT_EQ(checksum(load_graph(std::string(text) + ",seed=42", 7)), sum);
        EXPECT_EQ(checksum(load_graph(g.origin, 7)), sum);
    }
}

TEST(generator, kronecker_counts) {
    const graph simple = load_graph("kronecker:scale=10,degree=16");
    validate(simple);
    EXPECT_TRUE(simple.undirected);
    EXPECT_FALSE(simple.weighted());
    EXPECT_EQ(simple.vertex_count(), 1024U);
    EXPECT_FALSE(has_duplicates(simple));
    EXPECT_EQ(degrees_of(simple).self_loops, 0U);

    const graph raw = load_graph("kronecker:scale=10,degree=16,duplicates=keep,self_loops=keep");
    validate(raw);
    EXPECT_TRUE(has_duplicates(raw));
    const degree_statistics s = degrees_of(raw);
    EXPECT_GT(s.self_loops, 0U);
    EXPECT_EQ(s.edges, 2 * (16U << 10) - s.self_loops);
    EXPECT_EQ(raw.origin, "kronecker:scale=10,degree=16,seed=1,duplicates=keep,self_loops=keep");
}

TEST(generator, kronecker_follows_its_probabilities) {
    // With .76 and .24 for a bit's halves, vertices with k of 12 bits set make C(12, k) of 4096,
    // and each of them expects .76^(12-k) .24^k of the 2 x 16 x 4096 ends.
    const graph g = load_graph("kronecker:scale=12,duplicates=keep,self_loops=keep");
    std::vector<std::uint32_t> degrees;
    for (std::uint32_t v = 0; v < g.vertex_count(); ++v) degrees.push_back(g.degree(v));
    std::sort(degrees.rbegin(), degrees.rend());
    const double ends = 2 * 16 * 4096;
    const double hub = ends * std::pow(.76, 12);
    EXPECT_NEAR(degrees[0], hub, 0.1 * hub);
    double next = 0;
    for (int i = 1; i <= 12; ++i) next += degrees[i] / 12.0;
    EXPECT_NEAR(next, hub * .24 / .76, 0.05 * hub * .24 / .76);
    EXPECT_GT(degrees_of(g).degrees.standard_deviation, 2 * degrees_of(g).degrees.mean);
    // Permuted: the hub is not vertex 0.
    EXPECT_NE(g.degree(0), degrees[0]);
}

TEST(generator, rmat_takes_its_probabilities) {
    // Everything in the upper left corner, or uniform, or always lower left.
    const graph corner = load_graph("rmat:scale=6,degree=2,a=1,b=0,c=0,self_loops=keep");
    EXPECT_EQ(edges_of(corner), (std::vector<stored_edge>{{0, 0, 0}}));
    const graph lower = load_graph("rmat:scale=6,degree=2,a=0,b=0,c=1");
    EXPECT_EQ(edges_of(lower), (std::vector<stored_edge>{{63, 0, 0}}));
    const graph upper = load_graph("rmat:scale=6,degree=2,a=0,b=1,c=0");
    EXPECT_EQ(edges_of(upper), (std::vector<stored_edge>{{0, 63, 0}}));
    const graph rest = load_graph("rmat:scale=6,degree=2,a=0,b=0,c=0,self_loops=keep");
    EXPECT_EQ(edges_of(rest), (std::vector<stored_edge>{{63, 63, 0}}));

    const graph uniform = load_graph(
        "rmat:scale=12,a=.25,b=.25,c=.25,duplicates=keep,"
        "self_loops=keep");
    validate(uniform);
    EXPECT_FALSE(uniform.undirected);
    EXPECT_EQ(uniform.edge_count(), 16U << 12);
    EXPECT_NEAR(degrees_of(uniform).degrees.standard_deviation, 4, 0.3);  // Poisson of mean 16
    EXPECT_TRUE(load_graph("rmat:scale=4,undirected=true").undirected);
}

TEST(generator, road_is_connected_sparse_and_wide) {
    const graph g = load_graph("road:width=100,height=50");
    validate(g);
    EXPECT_TRUE(g.undirected);
    EXPECT_EQ(g.vertex_count(), 5000U);
    EXPECT_EQ(g.edge_count(), 12000U);  // mean degree 2.4
    const degree_statistics s = degrees_of(g);
    EXPECT_GE(s.degrees.minimum, 1U);
    EXPECT_LE(s.degrees.maximum, 4U);
    const auto distance = distances(g, 0);
    const std::uint32_t farthest = *std::max_element(distance.begin(), distance.end());
    EXPECT_LT(farthest, 5000U) << "connected";
    EXPECT_GE(farthest, 148U) << "at least the way across the grid";
    for (std::uint32_t v = 0; v < g.vertex_count(); ++v) {
        for (const std::uint32_t u : g.neighbours(v)) {
            const std::uint32_t apart = std::max(u, v) - std::min(u, v);
            ASSERT_TRUE(apart == 100 || (apart == 1 && std::max(u, v) % 100 != 0)) << u << ' ' << v;
        }
    }
    for (const double weight : g.weights) {
        ASSERT_EQ(weight, std::floor(weight));
        ASSERT_GE(weight, 40);   // 1 - 2 x 0.3
        ASSERT_LE(weight, 171);  // from corner to corner of two squares
    }
}

TEST(generator, road_at_the_ends_of_its_degree) {
    const graph tree = load_graph("road:width=30,height=20,degree=2");
    EXPECT_EQ(tree.edge_count(), 2U * 600);  // 2 x (n - 1), and one street for the mean degree
    const graph grid = load_graph("road:width=30,height=20,degree=4");
    EXPECT_EQ(grid.edge_count(), 2U * (29 * 20 + 30 * 19));
    validate(load_graph("road:width=2,height=2,degree=2"));
}

TEST(generator, powerlaw_follows_its_exponent) {
    const graph g = load_graph("powerlaw:vertices=100000,degree=4,exponent=2.5,undirected=false");
    validate(g);
    EXPECT_EQ(g.vertex_count(), 100000U);
    EXPECT_FALSE(g.undirected);
    EXPECT_FALSE(has_duplicates(g));
    EXPECT_NEAR(degrees_of(g).degrees.mean, 4, 0.3);

    std::vector<double> cited(g.vertex_count());
    for (const std::uint32_t target : g.targets) ++cited[target];
    // The tail P(citations >= k) falls as k^-(exponent - 1): slope over a decade.
    const auto share = [&](double k) {
        return static_cast<double>(
                   std::count_if(cited.begin(), cited.end(), [&](double c) { return c >= k; })) /
               g.vertex_count();
    };
    EXPECT_NEAR(std::log10(share(20) / share(200)), 1.5, 0.25);
}

TEST(generator, powerlaw_with_a_higher_exponent_has_smaller_hubs) {
    const graph heavy = load_graph("powerlaw:vertices=20000,exponent=2.2");
    const graph light = load_graph("powerlaw:vertices=20000,exponent=6");
    validate(heavy);
    EXPECT_TRUE(heavy.undirected);
    EXPECT_GT(degrees_of(heavy).degrees.maximum, 10 * degrees_of(light).degrees.maximum);
    EXPECT_GT(share_from(heavy, 200), share_from(light, 200));
    EXPECT_EQ(degrees_of(heavy).isolated, 0U);
}

TEST(generator, banded_has_similar_degrees_and_far_neighbours) {
    const graph g = load_graph("banded:vertices=20000,degree=19,band=0.1");
    validate(g);
    EXPECT_TRUE(g.undirected);
    EXPECT_FALSE(has_duplicates(g));
    const degree_statistics s = degrees_of(g);
    EXPECT_EQ(s.self_loops, 0U);
    EXPECT_NEAR(s.degrees.mean, 19, 1);
    EXPECT_LT(s.degrees.maximum, 50U);
    double far = 0;
    for (std::uint32_t v = 0; v < g.vertex_count(); ++v) {
        for (const std::uint32_t u : g.neighbours(v)) {
            const std::uint32_t apart = std::max(u, v) - std::min(u, v);
            ASSERT_LE(apart, 2000U);
            far += apart > 500 ? 1 : 0;  // a quarter of the band: u^2 > 1/4 for half of the u
        }
    }
    EXPECT_NEAR(far / g.edge_count(), 0.5, 0.03);
    for (const double weight : g.weights) {
        ASSERT_GE(weight, 1);
        ASSERT_LE(weight, 100);
    }
    validate(load_graph("banded:vertices=2,degree=2"));
}

TEST(generator, circuit_is_a_mesh_with_a_few_wires_across) {
    const graph g = load_graph("circuit:vertices=10000");
    validate(g);
    EXPECT_TRUE(g.undirected);
    EXPECT_FALSE(has_duplicates(g));
    const degree_statistics s = degrees_of(g);
    EXPECT_EQ(s.self_loops, 0U);
    EXPECT_NEAR(s.degrees.mean, 3.8, 0.1);
    EXPECT_LT(s.degrees.maximum, 10U);
    double across = 0;
    for (std::uint32_t v = 0; v < g.vertex_count(); ++v) {
        for (const std::uint32_t u : g.neighbours(v)) {
            const std::uint32_t apart = std::max(u, v) - std::min(u, v);
            across += apart != 1 && apart != 100 ? 1 : 0;
        }
    }
    EXPECT_NEAR(across / g.edge_count(), 0.05, 0.01);

    const graph mesh = load_graph("circuit:vertices=12,degree=4,far=0");
    EXPECT_EQ(mesh.edge_count(), 2 * (4 * 2 + 3 * 3));  // 4 rows of 3: streets east and south
    validate(load_graph("circuit:vertices=4,degree=0"));
}

TEST(generator, hubs_have_the_flights) {
    const graph g = load_graph("hubs:vertices=5000,hubs=20,flights=3,between=1");
    validate(g);
    EXPECT_TRUE(g.undirected);
    EXPECT_TRUE(g.weighted());
    std::vector<std::uint32_t> degrees;
    for (std::uint32_t v = 0; v < g.vertex_count(); ++v) degrees.push_back(g.degree(v));
    std::sort(degrees.rbegin(), degrees.rend());
    EXPECT_EQ(degrees_of(g).isolated, 0U);
    EXPECT_GT(degrees[19], 100U) << "a hub has flights to all other hubs and to some airports";
    EXPECT_LE(degrees[20], 3U);
    // Rank 1 of 20, of which rank r has a weight of 1 / (r + 10/3), has 0.13 of what the 4980
    // airports fly, 2 on average, less the repeated ones.
    EXPECT_NEAR(degrees[0], 4980 * 2 * 0.13, 150);
    EXPECT_EQ(load_graph("hubs:vertices=30,hubs=10,flights=1,between=0").edge_count(), 40U);
}

TEST(generator, ratings_have_the_shape_of_movielens) {
    const graph g = load_graph("ratings");
    validate(g);
    EXPECT_FALSE(g.undirected);
    EXPECT_EQ(g.vertex_count(), 943U + 1682U);
    EXPECT_NEAR(g.edge_count(), 100000, 10000);
    std::vector<std::uint32_t> raters(1682);
    std::uint32_t most = 0;
    for (std::uint32_t user = 0; user < 943; ++user) {
        ASSERT_GE(g.degree(user), 20U);
        most = std::max(most, g.degree(user));
        for (const std::uint32_t item : g.neighbours(user)) ++raters.at(item - 943);
    }
    EXPECT_GT(most, 400U);
    EXPECT_NEAR(*std::max_element(raters.begin(), raters.end()), 583, 150);
    EXPECT_FALSE(has_duplicates(g));
    double sum = 0;
    for (const double weight : g.weights) sum += weight;
    EXPECT_NEAR(sum / g.edge_count(), 3.53, 0.03);
}

TEST(generator, arguments_that_make_no_sense) {
    EXPECT_EQ(error_of_input("kronecker:scale=99"),
              "input kronecker:scale=99: scale = 99 is out of range: scale must be an integer from "
              "1 to 30");
    EXPECT_EQ(error_of_input("kronecker:scal=9"),
              "input kronecker:scal=9: kronecker has no argument 'scal'; did you mean 'scale'? "
              "expected one of scale, degree, seed, duplicates, self_loops");
    EXPECT_EQ(error_of_input("road:q=9"),
              "input road:q=9: road has no argument 'q'; expected one of width, height, degree, "
              "seed");
    EXPECT_EQ(error_of_input("road:width"),
              "input road:width: found 'width', expected KEY=VALUE with one of width, height, "
              "degree, seed for KEY");
    EXPECT_EQ(error_of_input("road:width=3,width=3"),
              "input road:width=3,width=3: argument 'width' is given twice");
    EXPECT_EQ(
        error_of_input("road:width=wide"),
        "input road:width=wide: width = \"wide\" has the wrong type: width must be an integer "
        "from 2 to 1048576 (unit: vertex)");
    EXPECT_EQ(error_of_input("rmat:a=.9,b=.2"),
              "input rmat:a=.9,b=.2: inconsistent configuration: a = 0.9 (given), b = 0.2 (given), "
              "c = 0.15 (default): it must hold that a + b + c is at most 1");
    EXPECT_THAT(error_of_input("kronecker:scale=30,degree=2"), HasSubstr("at most 2^30 edges"));
    EXPECT_THAT(error_of_input("powerlaw:vertices=1073741824"), HasSubstr("at most 2^30 edges"));
    EXPECT_THAT(error_of_input("road:width=1048576,height=1048576"), HasSubstr("2^29 crossings"));
    EXPECT_EQ(error_of_input("kroneker:scale=9"),
              "input kroneker:scale=9: there is no such file, nor a format or generator "
              "'kroneker'; did you mean 'kronecker'? known: dimacs, edge_list, matrix_market, "
              "metis, movielens, banded, circuit, hubs, kronecker, powerlaw, ratings, rmat, road");
    EXPECT_EQ(error_of_input("metis"), "input metis: which file? expected metis:file=FILE");
    EXPECT_EQ(error_of_input(""), "input: empty; expected a file or GENERATOR:args");
}

TEST(generator, everything_is_described) {
    const std::string text = describe_inputs();
    for (const char* name : {"dimacs: ", "edge_list: ", "matrix_market: ", "metis: ", "kronecker: ",
                             "powerlaw: ", "rmat: ", "road: ", "\nscale ", "\nexponent "}) {
        EXPECT_THAT(text, HasSubstr(name));
    }
}

}  // namespace
}  // namespace heddle::inputs
