// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/control_flow.h"

#include <algorithm>
#include <set>
#include <utility>

#include "models/program/kernel.h"
#include "models/program/post_dominators.h"

namespace heddle::program {

namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;

/// Where an instruction that leaves the straight line goes.
struct transfer {
    enum class kind { none, branch, jump, call, tail_call, indirect_jump, returns, ends };
    kind what = kind::none;
    std::optional<std::uint32_t> target;
};

/// Address that a jalr jumps to when the instruction before it forms the base.
std::optional<std::uint32_t> paired_target(const code_text& text, std::uint32_t pc,
                                           const function_range& range) {
    const instruction& jump = text.at(pc);
    if (pc == range.start) return std::nullopt;
    const instruction& base = text.at(pc - 4);
    if (base.rd != jump.rs1) return std::nullopt;
    const auto sum = static_cast<std::uint32_t>(base.imm) + static_cast<std::uint32_t>(jump.imm);
    if (base.op == opcode::auipc) return (pc - 4 + sum) & ~1u;
    if (base.op == opcode::lui) return sum & ~1u;
    return std::nullopt;
}

transfer classify(const code_text& text, std::uint32_t pc, const function_range& range) {
    using kind = transfer::kind;
    const instruction& i = text.at(pc);
    const auto inside = [&](std::uint32_t target) {
        // A jump to the function's own start is a loop or a recursive tail call: the same thing.
        return target >= range.start && target < range.end && target % 4 == 0;
    };
    if (i.cls == instruction_class::branch) {
        return {kind::branch, pc + static_cast<std::uint32_t>(i.imm)};
    }
    if (i.cls == instruction_class::jump) {
        const std::uint32_t target = pc + static_cast<std::uint32_t>(i.imm);
        if (i.is_call()) return {kind::call, target};
        return {inside(target) ? kind::jump : kind::tail_call, target};
    }
    if (i.cls == instruction_class::jump_register) {
        if (i.is_return()) return {kind::returns, std::nullopt};
        const auto target = paired_target(text, pc, range);
        if (i.is_call()) return {kind::call, target};
        if (!target) return {kind::indirect_jump, std::nullopt};
        return {inside(*target) ? kind::jump : kind::tail_call, target};
    }
    if (i.op == opcode::exit || i.op == opcode::ebreak || i.is_illegal()) {
        return {kind::ends, std::nullopt};
    }
    return {};
}

/// Builds one function's graph while the set of functions that return is being found.
class graph_builder {
public:
    graph_builder(const code_text& text, const function_range& range,
                  const std::vector<std::uint32_t>& table_targets)
        : text_(text), table_(table_targets) {
        graph_.range = range;
    }

    function_graph build() {
        find_blocks();
        for (auto& block : graph_.blocks) connect(block);
        return std::move(graph_);
    }

private:
    [[nodiscard]] bool inside(std::uint32_t pc) const {
        return pc >= graph_.range.start && pc < graph_.range.end && pc % 4 == 0;
    }

    void find_blocks() {
        std::set<std::uint32_t> leaders{graph_.range.start};
        for (const std::uint32_t target : table_) leaders.insert(target);
        for (std::uint32_t pc = graph_.range.start; pc < graph_.range.end; pc += 4) {
            const transfer t = classify(text_, pc, graph_.range);
            if (t.what == transfer::kind::none) continue;
            if (inside(pc + 4)) leaders.insert(pc + 4);
            const bool local = t.what == transfer::kind::branch || t.what == transfer::kind::jump;
            if (local && inside(*t.target)) leaders.insert(*t.target);
        }
        for (auto leader = leaders.begin(); leader != leaders.end(); ++leader) {
            const auto next = std::next(leader);
            const std::uint32_t end = next == leaders.end() ? graph_.range.end : *next;
            graph_.blocks.push_back({*leader, end - 4, {}, false, false});
        }
    }

    void follow(basic_block& block, std::uint32_t target) {
        if (!inside(target)) {
            block.returns = true;  // falls or branches into another function: a tail call
            graph_.calls.push_back({block.last, target, true});
            return;
        }
        const auto found = std::lower_bound(
            graph_.blocks.begin(), graph_.blocks.end(), target,
            [](const basic_block& b, std::uint32_t address) { return b.first < address; });
        const auto index = static_cast<std::size_t>(found - graph_.blocks.begin());
        auto& successors = block.successors;
        if (std::find(successors.begin(), successors.end(), index) == successors.end()) {
            successors.push_back(index);
        }
    }

    void connect(basic_block& block) {
        using kind = transfer::kind;
        const transfer t = classify(text_, block.last, graph_.range);
        switch (t.what) {
            case kind::none:
                follow(block, block.last + 4);
                break;
            case kind::branch:
                follow(block, block.last + 4);
                follow(block, *t.target);
                break;
            case kind::jump:
                follow(block, *t.target);
                break;
            case kind::call:
                graph_.calls.push_back({block.last, t.target, false});
                follow(block, block.last + 4);
                break;
            case kind::tail_call:
                graph_.calls.push_back({block.last, t.target, true});
                block.returns = true;
                break;
            case kind::indirect_jump:
                for (const std::uint32_t target : table_) follow(block, target);
                if (table_.empty()) {
                    graph_.calls.push_back({block.last, std::nullopt, true});
                    block.returns = true;
                }
                break;
            case kind::returns:
                block.returns = true;
                break;
            case kind::ends:
                block.ends = true;
                break;
        }
    }

    const code_text& text_;
    const std::vector<std::uint32_t>& table_;
    function_graph graph_;
};

flow_graph flow_of(const function_graph& function) {
    flow_graph flow;
    for (const auto& block : function.blocks) {
        flow.successors.push_back(block.successors);
        flow.returns.push_back(block.returns);
        flow.ends.push_back(block.ends);
    }
    return flow;
}

bool reaches_return(const function_graph& function) {
    return !function.blocks.empty() && can_return(flow_of(function)).front();
}

/// Takes away what follows calls (and returns by tail calls) of functions that never return.
/// `returning`: starts of the functions known to return; targets outside all functions return.
function_graph without_lost_paths(function_graph graph,
                                  const std::map<std::uint32_t, bool>& returning) {
    for (const auto& call : graph.calls) {
        if (!call.target) continue;
        const auto callee = returning.find(*call.target);
        if (callee == returning.end() || callee->second) continue;
        for (auto& block : graph.blocks) {
            if (block.last != call.pc) continue;
            const bool conditional = block.successors.size() + (block.returns ? 1 : 0) > 1;
            if (call.tail && conditional) {  // a branch into a function that never returns
                block.returns = false;
                continue;
            }
            block.successors.clear();
            block.returns = false;
            block.ends = true;
        }
    }
    return graph;
}

/// The successors without the edges that close a loop, as a search in depth from block 0 sees them.
std::vector<std::vector<std::size_t>> without_back_edges(
    std::vector<std::vector<std::size_t>> successors) {
    enum class mark : std::uint8_t { unseen, on_path, done };
    std::vector<mark> marks(successors.size(), mark::unseen);
    std::vector<std::pair<std::size_t, std::size_t>> path{{0, 0}};  // block, its next successor
    marks[0] = mark::on_path;
    while (!path.empty()) {
        auto& [at, which] = path.back();
        auto& next = successors[at];
        if (which == next.size()) {
            marks[at] = mark::done;
            path.pop_back();
        } else if (const std::size_t to = next[which]; marks[to] == mark::on_path) {
            next.erase(next.begin() + static_cast<std::ptrdiff_t>(which));
        } else {
            ++which;
            if (marks[to] == mark::done) continue;
            marks[to] = mark::on_path;
            path.emplace_back(to, 0);
        }
    }
    return successors;
}

/// Takes away ways to a block that only exits, where a branch can still go to a barrier: the
/// barrier must not wait for threads that would wait there (`if (i >= n) return;`, then
/// `__syncthreads()`). Branches that have the barrier ahead come first, then those that meet it in
/// the next turn of a loop; every loop keeps a way out.
void leave_out_early_exits(const code_text& text, const function_graph& function,
                           flow_graph& flow) {
    const std::size_t nodes = function.blocks.size();
    std::vector<bool> only_exits(nodes), has_barrier(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        const auto& block = function.blocks[i];
        only_exits[i] = block.first == block.last && text.at(block.last).op == opcode::exit;
        for (std::uint32_t pc = block.first; pc <= block.last; pc += 4) {
            if (text.at(pc).op == opcode::barrier) has_barrier[i] = true;
        }
    }
    if (std::find(has_barrier.begin(), has_barrier.end(), true) == has_barrier.end()) return;
    std::vector<bool> leaves = flow.returns;
    for (std::size_t i = 0; i < nodes; ++i) leaves[i] = leaves[i] || flow.ends[i];
    const auto finishing = can_return({flow.successors, leaves, {}});
    for (const auto& ways : {without_back_edges(flow.successors), flow.successors}) {
        const auto meets_barrier = can_return({ways, has_barrier, {}});
        for (std::size_t i = 0; i < nodes; ++i) {
            const auto& next = ways[i];
            if (std::none_of(next.begin(), next.end(),
                             [&](auto to) { return meets_barrier[to]; })) {
                continue;
            }
            auto all = flow.successors[i];
            auto& kept = flow.successors[i];
            kept.erase(
                std::remove_if(kept.begin(), kept.end(), [&](auto to) { return only_exits[to]; }),
                kept.end());
            if (can_return({flow.successors, leaves, {}}) != finishing) kept = std::move(all);
        }
    }
}

}  // namespace

std::vector<function_graph> build_graphs(const code_text& text,
                                         const std::vector<function_range>& functions,
                                         const jump_tables& tables) {
    static const std::vector<std::uint32_t> no_table;
    std::vector<function_graph> graphs;
    std::map<std::uint32_t, bool> returning;
    for (const auto& range : functions) {
        const auto table = tables.find(range.start);
        graphs.push_back(
            graph_builder(text, range, table == tables.end() ? no_table : table->second).build());
        returning[range.start] = false;
    }
    // Least fixed point: a function returns only when some path returns through functions that do,
    // so that recursion without an end never returns.
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& graph : graphs) {
            bool& known = returning[graph.range.start];
            if (!known && reaches_return(without_lost_paths(graph, returning))) {
                known = changed = true;
            }
        }
    }
    for (auto& graph : graphs) {
        graph = without_lost_paths(std::move(graph), returning);
        graph.may_return = returning[graph.range.start];
    }
    return graphs;
}

reconvergence_table find_reconvergence(const code_text& text,
                                       const std::vector<function_graph>& graphs) {
    reconvergence_table table;
    table.target.assign(text.instructions.size(), no_branch);
    table.flags.assign(text.instructions.size(), 0);
    const auto index = [&](std::uint32_t pc) { return (pc - text.base) / 4; };
    for (const auto& graph : graphs) {
        if (graph.blocks.empty()) continue;
        table.flags[index(graph.range.start)] |= function_start;
        flow_graph flow = flow_of(graph);
        leave_out_early_exits(text, graph, flow);
        const auto parents = post_dominators(flow);
        for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
            const auto& block = graph.blocks[i];
            table.flags[index(block.first)] |= block_start;
            const instruction& last = text.at(block.last);
            const bool indirect = last.cls == instruction_class::jump_register && !last.is_call() &&
                                  !last.is_return();
            if (last.cls != instruction_class::branch && !indirect) continue;
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
