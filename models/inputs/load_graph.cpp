// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_graph.h"

#include "models/inputs/graph_kinds.h"
#include "models/inputs/input_table.h"

namespace heddle::inputs {

const input_table<graph>& graph_inputs() {
    static const input_table<graph> table(
        "graph", {dimacs(), edge_list_file(), matrix_market(), metis(), movielens(), banded(),
                  circuit(), hubs(), kronecker(), powerlaw(), ratings(), rmat(), road()});
    return table;
}

graph load_graph(const std::string& input, std::uint64_t seed) {
    return graph_inputs().load(input, seed);
}

}  // namespace heddle::inputs
