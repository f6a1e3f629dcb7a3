// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Plain edge lists as SNAP and KONECT publish them: a line "SOURCE TARGET [WEIGHT]" an edge,
// comments after '#' or '%' at the start of a line.
#include <algorithm>

#include "models/inputs/graph_kinds.h"
#include "models/inputs/reader.h"

namespace heddle::inputs {
namespace {

struct edge_list_arguments : file_arguments {
    std::uint32_t base = 0;
    bool undirected = false;

    void declare(parameter_list& p) {
        file_arguments::declare(p);
        p.add("base", base, one_of({0, 1}), "", "Number of the first vertex in the file");
        p.add("undirected", undirected, "Store each edge in both directions");
    }
};

graph read_edge_list(const edge_list_arguments& arguments, const std::string& origin,
                     std::uint64_t /*run_seed*/) {
    constexpr const char* comments = "#%";
    text_scanner text(arguments.file);
    if (!text.next_line_of_data(comments)) text.fail_at_end("an edge: SOURCE TARGET [WEIGHT]");
    const std::uint64_t low = arguments.base;
    const std::uint64_t high = maximum_vertices - 1 + low;
    const std::uint64_t first_line = text.line();
    std::uint64_t highest = 0;  // counted from 0
    std::uint64_t highest_line = first_line;
    bool weighted = false;
    edge_list list;
    do {
        const std::uint64_t source = text.integer(low, high, "a vertex") - low;
        const std::uint64_t target = text.integer(low, high, "a vertex") - low;
        if (text.line() == first_line) weighted = text.next_field();
        if (weighted) {
            list.weights.push_back(text.real("a weight"));
            text.end_line();
        } else if (text.next_field()) {
            text.fail("the end of the line: line " + std::to_string(first_line) + " has no weight");
        }
        if (std::max(source, target) > highest) {
            highest = std::max(source, target);
            highest_line = text.line();
        }
        list.edges.push_back(
            {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target)});
    } while (text.next_line_of_data(comments));
    check_plausible(text, highest + 1, highest_line);
    list.vertices = highest + 1;
    list.mirrored = arguments.undirected;
    return build_graph(std::move(list), arguments.rules, origin);
}

}  // namespace

graph_kind edge_list_file() {
    return make_input_kind<edge_list_arguments>(
        "edge_list",
        "Edge list: SOURCE TARGET [WEIGHT] on each line; the highest number gives the number of "
        "vertices",
        {".txt", ".tsv", ".el", ".wel", ".edges", ".edgelist"}, read_edge_list);
}

}  // namespace heddle::inputs
