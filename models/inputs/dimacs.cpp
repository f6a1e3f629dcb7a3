// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// DIMACS shortest-path format (9th DIMACS Implementation Challenge, 2006): "c comment",
// "p sp VERTICES ARCS", "a SOURCE TARGET WEIGHT".
#include "models/inputs/graph_kinds.h"
#include "models/inputs/reader.h"

namespace heddle::inputs {
namespace {

struct dimacs_arguments : file_arguments {
    bool undirected = false;

    void declare(parameter_list& p) {
        file_arguments::declare(p);
        p.add("undirected", undirected, "Store each arc in both directions");
    }
};

graph read_dimacs(const dimacs_arguments& arguments, const std::string& origin,
                  std::uint64_t /*run_seed*/) {
    text_scanner text(arguments.file);
    if (!text.next_line_of_data("c")) text.fail_at_end("a line 'p sp VERTICES ARCS'");
    if (text.word() != "p") text.fail_at_last("p: the problem line comes before the arcs");
    if (text.word() != "sp") text.fail_at_last("sp: a shortest-path problem");
    const std::uint64_t vertices = text.integer(1, maximum_vertices, "the number of vertices");
    const std::uint64_t arcs = text.integer(0, maximum_edges, "the number of arcs");
    text.end_line();
    const std::uint64_t problem_line = text.line();
    const std::string promise =
        std::to_string(arcs) + " arcs that line " + std::to_string(problem_line) + " promises";

    edge_list list;
    list.edges.reserve(text.reservation(arcs, 8));
    list.weights.reserve(text.reservation(arcs, 8));
    while (text.next_line_of_data("c")) {
        if (text.word() != "a") text.fail_at_last("a (an arc) or c (a comment)");
        if (list.edges.size() == arcs) {
            text.fail_at_last("the end of the file, after the " + promise);
        }
        const std::uint64_t source = text.integer(1, vertices, "a vertex");
        const std::uint64_t target = text.integer(1, vertices, "a vertex");
        const std::int64_t weight =
            text.signed_integer(-largest_integer_weight, largest_integer_weight, "a weight");
        text.end_line();
        list.edges.push_back(
            {static_cast<std::uint32_t>(source - 1), static_cast<std::uint32_t>(target - 1)});
        list.weights.push_back(static_cast<double>(weight));
    }
    if (list.edges.size() < arcs) {
        text.fail_at_end("the " + promise + "; it has " + std::to_string(list.edges.size()));
    }
    check_plausible(text, vertices, problem_line);
    list.vertices = vertices;
    list.mirrored = arguments.undirected;
    return build_graph(std::move(list), arguments.rules, origin);
}

}  // namespace

graph_kind dimacs() {
    return make_input_kind<dimacs_arguments>(
        "dimacs", "DIMACS shortest path: p sp VERTICES ARCS, a SOURCE TARGET WEIGHT", {".gr"},
        read_dimacs);
}

}  // namespace heddle::inputs
