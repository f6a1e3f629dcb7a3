// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/reconvergence.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "models/program/collective_reach.h"
#include "models/program/kernel.h"

namespace heddle::program {

namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;

/// What all threads of a block, or of all blocks, have to come to.
bool is_barrier(const instruction& i) {
    return i.op == opcode::barrier ||
           (i.cls == instruction_class::cooperation && i.op != opcode::get_num_groups);
}

/// What threads of a warp do together.
bool is_exchange(const instruction& i) {
    return i.cls == instruction_class::exchange;
}

/// Takes away the ways on which the thread comes to no collective operation any more, from each
/// node of `nodes` that also has a way towards one.
void leave_out_ways_past(const collective_reach& reach, const std::vector<bool>& nodes,
                         flow_graph& flow) {
    for (std::size_t node = 0; node < flow.successors.size(); ++node) {
        auto& next = flow.successors[node];
        const auto goes_on = [&](std::size_t to) { return reach.block[to]; };
        if (!nodes[node] || std::none_of(next.begin(), next.end(), goes_on)) continue;
        next.erase(std::remove_if(next.begin(), next.end(), std::not_fn(goes_on)), next.end());
        if (!reach.after_return) flow.returns[node] = false;
    }
}

/// Post-dominators of a graph from which ways were taken. Loops that have lost all their ways out
/// end where they begin anew: their first node, for those who come to it again.
std::vector<std::size_t> post_dominators_of_rest(flow_graph flow) {
    const std::size_t nodes = flow.successors.size();
    const auto loops = closed_loops(flow);
    std::vector<std::size_t> again;  // the first node of the loop that nodes + index stands for
    for (const auto& loop : loops) {
        const std::size_t first = entry_of_loop(flow, loop);
        for (const std::size_t node : loop) {
            auto& next = flow.successors[node];
            std::replace(next.begin(), next.end(), first, nodes + again.size());
        }
        again.push_back(first);
        flow.successors.emplace_back();
        flow.returns.push_back(false);
        flow.ends.push_back(true);
    }
    auto parents = post_dominators(flow);
    parents.resize(nodes);
    for (std::size_t& parent : parents) {
        if (parent != virtual_exit && parent >= nodes) parent = again[parent - nodes];
    }
    return parents;
}

/// Those of the whole graph, and of the graph without the ways past collective operations.
std::vector<std::size_t> meeting_points(const function_graph& graph,
                                        const collective_reach& barriers,
                                        const collective_reach& exchanges) {
    const flow_graph all = flow_of(graph);
    const auto parents = post_dominators(all);
    const std::size_t nodes = parents.size();
    flow_graph rest = all;
    leave_out_ways_past(barriers, barriers.block, rest);
    std::vector<bool> never_meet(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        never_meet[i] = !barriers.block[i] && parents[i] == virtual_exit;
    }
    leave_out_ways_past(exchanges, never_meet, rest);
    if (rest.successors == all.successors && rest.returns == all.returns) return parents;
    auto found = post_dominators_of_rest(std::move(rest));
    for (std::size_t i = 0; i < nodes; ++i) {
        const bool meets = barriers.block[i] || exchanges.block[i];
        if (!meets || found[i] == virtual_exit) found[i] = parents[i];
    }
    return found;
}

bool parts_threads(const instruction& last) {
    return last.cls == instruction_class::branch ||
           (last.cls == instruction_class::jump_register && !last.is_call() && !last.is_return());
}

}  // namespace

reconvergence_table find_reconvergence(const code_text& text,
                                       const std::vector<function_graph>& graphs) {
    reconvergence_table table;
    table.target.assign(text.instructions.size(), no_branch);
    table.flags.assign(text.instructions.size(), 0);
    const auto index = [&](std::uint32_t pc) { return (pc - text.base) / 4; };
    const auto barriers = find_collective_reach(text, graphs, is_barrier);
    const auto exchanges = find_collective_reach(text, graphs, is_exchange);
    for (std::size_t f = 0; f < graphs.size(); ++f) {
        const auto& graph = graphs[f];
        if (graph.blocks.empty()) continue;
        table.flags[index(graph.range.start)] |= function_start;
        const auto parents = meeting_points(graph, barriers[f], exchanges[f]);
        for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
            const auto& block = graph.blocks[i];
            table.flags[index(block.first)] |= block_start;
            if (!parts_threads(text.at(block.last))) continue;
            if (parents[i] == virtual_exit) {
                table.target[index(block.last)] = function_exit;
            } else {
                const std::uint32_t pc = graph.blocks[parents[i]].first;
                table.target[index(block.last)] = pc;
                table.flags[index(pc)] |= reconvergence_point;
            }
        }
    }
    return table;
}

}  // namespace heddle::program
