// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/inputs/graph.h"
#include "models/inputs/input_kind.h"

/// The entries that the table of graph inputs (load_graph.cpp) is made of.
namespace heddle::inputs {

using graph_kind = input_kind<graph>;

// File formats.
graph_kind dimacs();
graph_kind edge_list_file();
graph_kind matrix_market();
graph_kind metis();
graph_kind movielens();

// Generators.
graph_kind banded();
graph_kind circuit();
graph_kind hubs();
graph_kind kronecker();
graph_kind powerlaw();
graph_kind ratings();
graph_kind rmat();
graph_kind road();

}  // namespace heddle::inputs
