// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/inputs/graph.h"

namespace heddle::inputs {

template <class Product>
class input_table;

/// The graph that an `--input` text stands for:
///
///     FILE                      read, in the format that the extension says (.gz is ignored)
///     FORMAT:file=FILE,...      read in that format, with its options
///     GENERATOR:key=value,...   generated; unnamed arguments have their defaults
///
/// Formats (all also gzipped, which the content tells): matrix_market (.mtx), metis (.graph,
/// .metis), dimacs (.gr), edge_list (.txt, .tsv, .el, .wel, .edges, .edgelist), movielens (.data).
/// Generators: banded, hubs, kronecker, powerlaw, ratings, rmat, road. describe_inputs()
/// (input_file.h) lists them with their arguments.
/// `seed` decides what a generator makes, unless its argument `seed` does; the same text and seed
/// give the same graph on every host.
///
/// Throws configuration_error: for a text that can't be understood, with what would be legal; for
/// a file, "FILE:LINE:COLUMN: found ..., expected ..." (lines and columns from 1, columns in
/// bytes).
[[nodiscard]] graph load_graph(const std::string& input, std::uint64_t seed = 1);

/// The formats and generators of graphs.
[[nodiscard]] const input_table<graph>& graph_inputs();

}  // namespace heddle::inputs
