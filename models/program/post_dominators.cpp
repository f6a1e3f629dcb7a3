// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/post_dominators.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/strong_components.hpp>

namespace heddle::program {

namespace {

using boost_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

/// Component of each node, numbered in no particular but deterministic order.
std::vector<std::size_t> components(const flow_graph& graph, std::size_t& count) {
    boost_graph forward(graph.successors.size());
    for (std::size_t node = 0; node < graph.successors.size(); ++node) {
        for (const std::size_t next : graph.successors[node]) boost::add_edge(node, next, forward);
    }
    std::vector<std::size_t> component(graph.successors.size());
    count = boost::strong_components(
        forward, boost::make_iterator_property_map(component.begin(),
                                                   boost::get(boost::vertex_index, forward)));
    return component;
}

}  // namespace

std::vector<bool> can_return(const flow_graph& graph) {
    const std::size_t nodes = graph.successors.size();
    std::vector<std::vector<std::size_t>> predecessors(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
        for (const std::size_t next : graph.successors[node]) predecessors[next].push_back(node);
    }
    std::vector<bool> reached = graph.returns;
    std::vector<std::size_t> work;
    for (std::size_t node = 0; node < nodes; ++node) {
        if (reached[node]) work.push_back(node);
    }
    while (!work.empty()) {
        const std::size_t node = work.back();
        work.pop_back();
        for (const std::size_t before : predecessors[node]) {
            if (!reached[before]) {
                reached[before] = true;
                work.push_back(before);
            }
        }
    }
    return reached;
}

std::vector<std::vector<std::size_t>> closed_loops(const flow_graph& graph) {
    const std::size_t nodes = graph.successors.size();
    std::size_t count = 0;
    const auto component = components(graph, count);
    std::vector<bool> open(count, false);
    std::vector<std::vector<std::size_t>> members(count);
    for (std::size_t node = 0; node < nodes; ++node) {
        if (graph.returns[node] || graph.ends[node]) open[component[node]] = true;
        for (const std::size_t next : graph.successors[node]) {
            if (component[next] != component[node]) open[component[node]] = true;
        }
        members[component[node]].push_back(node);
    }
    std::vector<std::vector<std::size_t>> loops;
    for (std::size_t c = 0; c < count; ++c) {
        if (!open[c]) loops.push_back(std::move(members[c]));
    }
    return loops;
}

std::vector<std::size_t> post_dominators(const flow_graph& graph) {
    const std::size_t nodes = graph.successors.size();
    const auto returning = can_return(graph);
    std::vector<bool> loop_exits(nodes, false);
    for (const auto& loop : closed_loops(graph)) loop_exits[loop.front()] = true;

    // The reversed graph, from the virtual exit; every node is reachable in it.
    boost_graph reversed(nodes + 1);
    for (std::size_t node = 0; node < nodes; ++node) {
        const bool leaves =
            returning[node] ? graph.returns[node] : graph.ends[node] || loop_exits[node];
        if (leaves) boost::add_edge(nodes, node, reversed);
        for (const std::size_t next : graph.successors[node]) {
            if (!returning[node] || returning[next]) boost::add_edge(next, node, reversed);
        }
    }
    std::vector<std::size_t> parent(nodes + 1, nodes);
    boost::lengauer_tarjan_dominator_tree(
        reversed, nodes,
        boost::make_iterator_property_map(parent.begin(),
                                          boost::get(boost::vertex_index, reversed)));
    parent.resize(nodes);
    std::replace(parent.begin(), parent.end(), nodes, virtual_exit);
    return parent;
}

}  // namespace heddle::program
