// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What each file format means, from well-formed files.
#include <gmock/gmock.h>

#include "tests/inputs/input_files.h"

namespace heddle::inputs {
namespace {

using edges = std::vector<stored_edge>;
using format = input_files;

TEST_F(format, matrix_market_general_keeps_each_entry_as_an_edge) {
    const graph g = load_text("a.mtx",
                              "%%MatrixMarket matrix coordinate real general\n"
                              "% a comment\n"
                              "\n"
                              "3 3 4\n"
                              "3 1 -2.5e-3\n"
                              "  1\t2   +4\n"
                              "% another\n"
                              "1 1 0\n"
                              "1 3 .5");
    EXPECT_EQ(edges_of(g), (edges{{0, 0, 0}, {0, 1, 4}, {0, 2, .5}, {2, 0, -0.0025}}));
    EXPECT_FALSE(g.undirected);
    EXPECT_EQ(g.origin, path("a.mtx"));
}

TEST_F(format, matrix_market_symmetric_mirrors_the_lower_triangle) {
    const graph g = load_text("a.mtx",
                              "%%matrixmarket MATRIX Coordinate Integer Symmetric\n"
                              "3 3 3\n2 1 7\n3 3 -1\n3 2 9\n");
    EXPECT_EQ(edges_of(g), (edges{{0, 1, 7}, {1, 0, 7}, {1, 2, 9}, {2, 1, 9}, {2, 2, -1}}));
    EXPECT_TRUE(g.undirected);
}

TEST_F(format, matrix_market_skew_symmetric_mirrors_the_negated_value) {
    const graph g = load_text("a.mtx",
                              "%%MatrixMarket matrix coordinate real skew-symmetric\n"
                              "2 2 1\n2 1 1.5\n");
    EXPECT_EQ(edges_of(g), (edges{{0, 1, -1.5}, {1, 0, 1.5}}));
    EXPECT_FALSE(g.undirected);
}

TEST_F(format, matrix_market_pattern_has_no_weights) {
    const std::string text = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
    const graph g = load_text("a.mtx", text);
    EXPECT_EQ(edges_of(g), (edges{{0, 1, 0}}));
    EXPECT_FALSE(g.weighted());
    const graph both = load_text("a.mtx", text, "undirected=true");
    EXPECT_EQ(edges_of(both), (edges{{0, 1, 0}, {1, 0, 0}}));
    EXPECT_TRUE(both.undirected);
}

TEST_F(format, matrix_market_array_drops_zeros) {
    EXPECT_EQ(edges_of(load_text("a.mtx",
                                 "%%MatrixMarket matrix array real general\n"
                                 "2 2\n1\n0\n2\n0.0\n")),
              (edges{{0, 0, 1}, {0, 1, 2}}));
    EXPECT_EQ(edges_of(load_text("a.mtx",
                                 "%%MatrixMarket matrix array integer symmetric\n"
                                 "2 2\n1\n5\n0\n")),
              (edges{{0, 0, 1}, {0, 1, 5}, {1, 0, 5}}));
    EXPECT_EQ(edges_of(load_text("a.mtx",
                                 "%%MatrixMarket matrix array real skew-symmetric\n"
                                 "3 3\n1\n2\n3\n")),
              (edges{{0, 1, -1}, {0, 2, -2}, {1, 0, 1}, {1, 2, -3}, {2, 0, 2}, {2, 1, 3}}));
}

TEST_F(format, metis_plain) {
    const graph g = load_text("a.graph",
                              "% comment\n"
                              "4 2\n"
                              "2 3\n"
                              "1\n"
                              "% between vertices\n"
                              "1\n"
                              "\n");
    EXPECT_EQ(edges_of(g), (edges{{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {2, 0, 0}}));
    EXPECT_TRUE(g.undirected);
    EXPECT_EQ(g.vertex_count(), 4U);
}

TEST_F(format, metis_sizes_and_weights) {
    const edges unweighted{{0, 1, 0}, {1, 0, 0}};
    const edges weighted{{0, 1, 5}, {1, 0, 5}};
    EXPECT_EQ(edges_of(load_text("a.graph", "2 1 0\n2\n1\n")), unweighted);
    EXPECT_EQ(edges_of(load_text("a.graph", "2 1 001\n2 5\n1 5\n")), weighted);
    EXPECT_EQ(edges_of(load_text("a.graph", "2 1 1\n2 5\n1 5\n")), weighted);
    EXPECT_EQ(edges_of(load_text("a.graph", "2 1 10\n9 2\n9 1\n")), unweighted);
    EXPECT_EQ(edges_of(load_text("a.graph", "2 1 11 2\n8 9 2 5\n8 9 1 5\n")), weighted);
    EXPECT_EQ(edges_of(load_text("a.graph", "2 1 100\n7 2\n7 1\n")), unweighted);
    EXPECT_EQ(edges_of(load_text("a.graph", "2 1 111 1\n7 8 2 5\n7 8 1 5\n")), weighted);
}

TEST_F(format, dimacs) {
    const std::string text = "c comment\np sp 3 3\na 1 2 10\na 3 1 -4\nc more\n a  2  3  0 \n\n";
    const graph g = load_text("a.gr", text);
    EXPECT_EQ(edges_of(g), (edges{{0, 1, 10}, {1, 2, 0}, {2, 0, -4}}));
    EXPECT_FALSE(g.undirected);
    EXPECT_EQ(edges_of(load_text("a.gr", text, "undirected=true")).size(), 6U);
}

TEST_F(format, edge_list) {
    const graph g = load_text("a.txt", "# Nodes: 4 Edges: 3\r\n0\t3\r\n\r\n3 1\r\n% more\r\n0 1");
    EXPECT_EQ(edges_of(g), (edges{{0, 1, 0}, {0, 3, 0}, {3, 1, 0}}));
    EXPECT_EQ(g.vertex_count(), 4U);
    EXPECT_EQ(g.degree(2), 0U);
    const graph weighted = load_text("a.wel", "1 2 0.5\n2 1 1e2\n", "base=1");
    EXPECT_EQ(edges_of(weighted), (edges{{0, 1, .5}, {1, 0, 100}}));
}

TEST_F(format, edge_list_options) {
    const std::string text = "0 1 5\n1 0 3\n0 1 2\n1 1 4\n";
    EXPECT_EQ(edges_of(load_text("a.txt", text)),
              (edges{{0, 1, 2}, {0, 1, 5}, {1, 0, 3}, {1, 1, 4}}));
    EXPECT_EQ(edges_of(load_text("a.txt", text, "duplicates=remove")),
              (edges{{0, 1, 2}, {1, 0, 3}, {1, 1, 4}}));
    EXPECT_EQ(edges_of(load_text("a.txt", text, "self_loops=remove")),
              (edges{{0, 1, 2}, {0, 1, 5}, {1, 0, 3}}));
    // Both directions get the least weight of either.
    EXPECT_EQ(
        edges_of(load_text("a.txt", text, "undirected=true,duplicates=remove,self_loops=remove")),
        (edges{{0, 1, 2}, {1, 0, 2}}));
    EXPECT_EQ(edges_of(load_text("a.txt", text, "undirected=true")).size(), 7U);
}

TEST_F(format, movielens) {
    // User 1 to 2, items 1 to 3; the items follow the users.
    const graph g = load_text("u.data", "2\t3\t5\t881250949\n1\t1\t4\t0\n2\t1\t1\t7\n");
    EXPECT_EQ(edges_of(g), (std::vector<stored_edge>{{0, 2, 4}, {1, 2, 1}, {1, 4, 5}}));
    EXPECT_FALSE(g.undirected);
    EXPECT_EQ(error_of("a.data", "1\t1\t6\t0\n"),
              "a.data:1:5: found '6', expected a rating, an integer from 1 to 5");
    EXPECT_EQ(error_of("b.data", "1 1 5\n"),
              "b.data:1:6: found the end of the line, expected a time, an integer from 0 to "
              "4294967295");
    EXPECT_EQ(error_of("c.data", "\n"),
              "c.data:2:1: found the end of the file, expected a rating: USER ITEM RATING TIME");
}

TEST_F(format, the_extension_chooses_the_format_and_a_prefix_overrides_it) {
    EXPECT_EQ(load_text("A.GRAPH", "2 1\n2\n1\n").edge_count(), 2U);
    EXPECT_EQ(load_text("a.gr", gzipped("p sp 2 1\na 1 2 3\n")).edge_count(), 1U);
    EXPECT_EQ(load_text("a.gr.gz", "p sp 2 1\na 1 2 3\n").edge_count(), 1U);
    EXPECT_EQ(load_text("a.gr.gz", gzipped("p sp 2 1\na 1 2 3\n")).edge_count(), 1U);
    // .gr is DIMACS: its problem line is no edge.
    EXPECT_EQ(error_of("a.gr", "0 1\n").substr(0, 9), "a.gr:1:1:");
    // Any other name can be read by naming the format.
    EXPECT_EQ(load_text("roads.dat", "0 1\n", "base=0").edge_count(), 1U);
}

TEST_F(format, gzip_is_told_by_the_content_in_every_format) {
    const std::string files[][2] = {
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"},
        {"a.graph", "2 1\n2\n1\n"},
        {"a.gr", "p sp 2 1\na 1 2 3\n"},
        {"a.txt", "0 1\n"}};
    for (const auto& [name, text] : files) {
        SCOPED_TRACE(name);
        EXPECT_EQ(edges_of(load_text(name, gzipped(text))), edges_of(load_text(name, text)));
    }
    // Members in a row are one text, as gzip -d has it.
    EXPECT_EQ(load_text("a.txt", gzipped("0 1\n1 ") + gzipped("2\n")).edge_count(), 2U);
}

TEST_F(format, blocks_of_a_large_file_join_seamlessly) {
    // Several blocks of the reader, with one line that is longer than a block.
    const std::uint32_t vertices = 60000;
    std::string text = std::to_string(vertices) + " " + std::to_string(vertices - 1) + "\n";
    for (std::uint32_t v = 2; v <= vertices; ++v) text += std::to_string(v) + " ";
    for (std::uint32_t v = 2; v <= vertices; ++v) text += "\n1";
    for (const std::string& content : {text, text + "\n", gzipped(text)}) {
        const graph g = load_text("star.graph", content);
        validate(g);
        EXPECT_EQ(g.degree(0), vertices - 1);
        EXPECT_EQ(g.edge_count(), 2 * (vertices - 1));
        EXPECT_EQ(g.targets[g.offsets[vertices - 1]], 0U);
    }
}

}  // namespace
}  // namespace heddle::inputs
