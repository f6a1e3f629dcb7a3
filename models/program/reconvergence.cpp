// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/reconvergence.h"

#include <algorithm>
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

/// Whether a node has ways towards a collective operation, and others.
bool parts_ways(const collective_reach& reach, const std::vector<std::size_t>& next) {
    const auto goes_on = [&](std::size_t to) { return reach.block[to]; };
    return std::any_of(next.begin(), next.end(), goes_on) &&
           !std::all_of(next.begin(), next.end(), goes_on);
}

/// Takes away the ways of a node on which the thread comes to no collective operation any more.
void leave_out_ways_past(const collective_reach& reach, std::size_t node, flow_graph& flow) {
    auto& next = flow.successors[node];
    next.erase(std::remove_if(next.begin(), next.end(), [&](auto to) { return !reach.block[to]; }),
               next.end());
    if (!reach.after_return) flow.returns[node] = false;
}

/// Post-dominators of a graph from which ways were taken. A loop that has lost all its ways out
/// ends where its threads meet next: at its first node with a collective operation (`meets`), for
/// those who come to it. Threads that part elsewhere meet before that.
class rest_of_graph {
public:
    rest_of_graph(flow_graph flow, const std::vector<bool>& meets)
        : nodes_(flow.successors.size()) {
        for (const auto& loop : closed_loops(flow)) {
            const auto first =
                std::find_if(loop.begin(), loop.end(), [&](auto node) { return meets[node]; });
            if (first == loop.end()) continue;  // without an end from the beginning
            for (const std::size_t node : loop) {
                auto& next = flow.successors[node];
                std::replace(next.begin(), next.end(), *first, nodes_ + first_.size());
            }
            first_.push_back(*first);
            flow.successors.emplace_back();
            flow.returns.push_back(false);
            flow.ends.push_back(true);
        }
        parents_ = post_dominators(flow);
        successors_ = std::move(flow.successors);
    }

    /// virtual_exit, or a node of the graph.
    [[nodiscard]] std::size_t post_dominator(std::size_t node) const {
        const std::size_t parent = parents_[node];
        return parent == virtual_exit || parent < nodes_ ? parent : first_[parent - nodes_];
    }

    /// Nodes that threads come to, or not, by a branch behind which they all meet again.
    [[nodiscard]] std::vector<bool> in_arms() const {
        std::vector<bool> found(parents_.size());
        for (std::size_t node = 0; node < nodes_; ++node) {
            const auto& next = successors_[node];
            if (next.size() < 2 || parents_[node] == virtual_exit) continue;
            for (std::size_t at : next) {
                for (; at != parents_[node] && at != virtual_exit; at = parents_[at]) {
                    found[at] = true;
                }
            }
        }
        return found;
    }

private:
    std::size_t nodes_;
    std::vector<std::size_t> first_;  ///< what node nodes_ + index stands for
    std::vector<std::size_t> parents_;
    std::vector<std::vector<std::size_t>> successors_;
};

/// Where no barrier is ahead, threads that come to no vote or shuffle any more need not run to
/// their end at once: who leaves a loop waits behind it for the others. Only a way past from the
/// arm of a branch would keep the branch's other threads from meeting before the next vote.
void leave_out_ways_past_exchanges(const collective_reach& barriers,
                                   const collective_reach& exchanges, flow_graph& flow) {
    std::vector<std::size_t> parting;
    flow_graph inside = flow;
    for (std::size_t node = 0; node < flow.successors.size(); ++node) {
        if (barriers.block[node] || !parts_ways(exchanges, flow.successors[node])) continue;
        parting.push_back(node);
        leave_out_ways_past(exchanges, node, inside);
    }
    if (parting.empty()) return;
    const auto in_arms = rest_of_graph(std::move(inside), exchanges.meets).in_arms();
    for (const std::size_t node : parting) {
        if (in_arms[node]) leave_out_ways_past(exchanges, node, flow);
    }
}

/// Those of the whole graph, and of the graph without the ways past collective operations.
std::vector<std::size_t> meeting_points(const function_graph& graph,
                                        const collective_reach& barriers,
                                        const collective_reach& exchanges) {
    const flow_graph all = flow_of(graph);
    auto parents = post_dominators(all);
    flow_graph kept = all;
    for (std::size_t node = 0; node < parents.size(); ++node) {
        if (parts_ways(barriers, all.successors[node])) leave_out_ways_past(barriers, node, kept);
    }
    leave_out_ways_past_exchanges(barriers, exchanges, kept);
    if (kept.successors == all.successors) return parents;
    std::vector<bool> meets = barriers.meets;
    for (std::size_t node = 0; node < meets.size(); ++node) {
        meets[node] = meets[node] || exchanges.meets[node];
    }
    const rest_of_graph rest(std::move(kept), meets);
    for (std::size_t node = 0; node < parents.size(); ++node) {
        const std::size_t found = rest.post_dominator(node);
        const bool meets = barriers.block[node] || exchanges.block[node];
        if (meets && found != virtual_exit) parents[node] = found;
    }
    return parents;
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
