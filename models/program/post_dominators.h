// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace heddle::program {

/// A flow graph as post_dominators() takes it; all vectors have one element a node.
struct flow_graph {
    std::vector<std::vector<std::size_t>> successors;
    std::vector<bool> returns;  ///< the node may leave the function and come back to the caller
    std::vector<bool> ends;     ///< the thread ends here (exit, trap, call that never returns)
};

/// Immediate post-dominator of a node that only the function's exit post-dominates.
inline constexpr std::size_t virtual_exit = std::numeric_limits<std::size_t>::max();

/// The immediate post-dominator of each node: where threads that part in it meet again.
///
/// Threads that never come back don't count: a path that ends the thread or loops for ever is
/// nothing to wait for. So a node that can return has its post-dominator among the paths that
/// return; only among nodes that can't return do ends count as exits. Of a closed loop without any
/// end, the lowest node stands for the exit.
///
/// Method: dominators of the reversed graph from a virtual exit (Lengauer and Tarjan, Boost.Graph).
/// Cost: O((nodes + edges) log nodes).
std::vector<std::size_t> post_dominators(const flow_graph& graph);

/// Nodes of each closed loop, ascending: a strongly connected component without a way out and
/// without an end. A node without successors is one, too.
std::vector<std::vector<std::size_t>> closed_loops(const flow_graph& graph);

/// Whether each node can reach a node that returns.
std::vector<bool> can_return(const flow_graph& graph);

}  // namespace heddle::program
