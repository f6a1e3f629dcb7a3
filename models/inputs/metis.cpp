// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// METIS graph format (Karypis, METIS 5.1 manual, section 4.1.1): line "VERTICES EDGES [FMT
// [NCON]]", then a line with the neighbours of each vertex; comment lines start with '%'.
#include <algorithm>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/inputs/graph_kinds.h"
#include "models/inputs/reader.h"

namespace heddle::inputs {
namespace {

struct metis_arguments {
    std::string file;

    void declare(parameter_list& p) {
        p.add("file", file,
              "Path of the file, which may be gzipped; sizes and weights of vertices are checked "
              "and not used");
    }
};

class metis_reader {
public:
    explicit metis_reader(const std::string& file) : text_(file) {}

    graph read(const std::string& origin) {
        read_header();
        list_.edges.reserve(text_.reservation(2 * edges_, 2));
        if (edge_weights_) list_.weights.reserve(text_.reservation(2 * edges_, 4));
        for (std::uint32_t v = 0; v < vertices_; ++v) {
            if (!next_row()) {
                text_.fail_at_end("a line for each of the " + std::to_string(vertices_) +
                                  " vertices that line " + std::to_string(header_line_) +
                                  " promises; it has " + std::to_string(v));
            }
            note_line(v);
            read_row(v);
        }
        if (text_.next_line_of_data("%")) {
            text_.fail("the end of the file, after the " + std::to_string(vertices_) +
                       " vertices that line " + std::to_string(header_line_) + " promises");
        }
        if (list_.edges.size() != 2 * edges_) {
            text_.fail_at_end(promise() + "; it has " + std::to_string(list_.edges.size()));
        }
        list_.vertices = vertices_;
        graph result = build_graph(std::move(list_), {}, origin);
        check_both_ways(result);
        result.undirected = true;
        return result;
    }

private:
    void read_header() {
        if (!text_.next_line_of_data("%")) text_.fail_at_end("VERTICES EDGES [FMT [NCON]]");
        header_line_ = text_.line();
        vertices_ = text_.integer(1, maximum_vertices, "the number of vertices");
        edges_ = text_.integer(0, maximum_edges / 2, "the number of edges");
        if (text_.next_field()) read_format();
        if (text_.next_field()) {
            const std::uint64_t constraints =
                text_.integer(vertex_weights_ > 0 ? 1 : 0, 1000, "NCON, the weights of a vertex");
            if (vertex_weights_ > 0) vertex_weights_ = constraints;
        }
        text_.end_line();
    }

    /// Up to three digits: vertex sizes, vertex weights, edge weights.
    void read_format() {
        const std::string digits(text_.word());
        if (digits.size() > 3 || digits.find_first_not_of("01") != std::string::npos) {
            text_.fail_at_last("FMT, one of 0, 1, 10, 11, 100, 101, 110, 111");
        }
        const std::string flags = std::string(3 - digits.size(), '0') + digits;
        vertex_sizes_ = flags[0] == '1';
        vertex_weights_ = flags[1] == '1' ? 1 : 0;
        edge_weights_ = flags[2] == '1';
    }

    /// An empty line is a vertex without neighbours, so only comments are skipped.
    bool next_row() {
        while (text_.next_line()) {
            if (!text_.next_field() || text_.peek() != '%') return true;
        }
        return false;
    }

    void read_row(std::uint32_t v) {
        if (vertex_sizes_) text_.integer(0, largest_integer_weight, "the size of the vertex");
        for (std::uint64_t i = 0; i < vertex_weights_; ++i) {
            text_.integer(0, largest_integer_weight, "a weight of the vertex");
        }
        while (text_.next_field()) {
            const std::uint64_t neighbour = text_.integer(1, vertices_, "a neighbour");
            if (neighbour == v + 1U) {
                text_.fail_at_last("another vertex: METIS graphs have no self-loops");
            }
            if (list_.edges.size() == 2 * edges_) text_.fail_at_last("at most " + promise());
            list_.edges.push_back({v, static_cast<std::uint32_t>(neighbour - 1)});
            if (edge_weights_) {
                list_.weights.push_back(static_cast<double>(
                    text_.integer(1, largest_integer_weight, "the weight of the edge")));
            }
        }
    }

    /// Keeps the lines of the vertices behind each comment; the others follow from them.
    void note_line(std::uint32_t v) {
        if (lines_.empty() || line_of(v) != text_.line()) lines_.push_back({v, text_.line()});
    }
    [[nodiscard]] std::uint64_t line_of(std::uint32_t v) const {
        const auto after = std::upper_bound(
            lines_.begin(), lines_.end(), v,
            [](std::uint32_t vertex, const vertex_line& noted) { return vertex < noted.vertex; });
        const vertex_line& noted = *(after - 1);
        return noted.line + (v - noted.vertex);
    }

    void check_both_ways(const graph& read) const {
        const auto [u, v] = find_one_way_edge(read);
        if (u == read.vertex_count()) return;
        const std::string from = std::to_string(u + 1);
        const std::string to = std::to_string(v + 1);
        throw configuration_error(text_.file() + ":" + std::to_string(line_of(u)) +
                                  ": found neighbour " + to + " of vertex " + from +
                                  ", expected neighbour " + from + " of vertex " + to +
                                  (edge_weights_ ? ", with the same weight," : "") + " in line " +
                                  std::to_string(line_of(v)));
    }

    [[nodiscard]] std::string promise() const {
        return std::to_string(2 * edges_) + " neighbours in all, twice the " +
               std::to_string(edges_) + " edges that line " + std::to_string(header_line_) +
               " promises";
    }

    struct vertex_line {
        std::uint32_t vertex;
        std::uint64_t line;
    };

    text_scanner text_;
    std::uint64_t header_line_ = 0;
    std::uint64_t vertices_ = 0;
    std::uint64_t edges_ = 0;
    bool vertex_sizes_ = false;
    std::uint64_t vertex_weights_ = 0;  ///< of each vertex
    bool edge_weights_ = false;
    edge_list list_;
    std::vector<vertex_line> lines_;
};

graph read_metis(const metis_arguments& arguments, const std::string& origin,
                 std::uint64_t /*run_seed*/) {
    return metis_reader(arguments.file).read(origin);
}

}  // namespace

graph_kind metis() {
    return make_input_kind<metis_arguments>(
        "metis",
        "METIS graph: VERTICES EDGES [FMT [NCON]], then a line of neighbours for each vertex",
        {".graph", ".metis"}, read_metis);
}

}  // namespace heddle::inputs
