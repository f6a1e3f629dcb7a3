// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/control_flow.h"

#include <algorithm>
#include <set>
#include <utility>

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

}  // namespace

flow_graph flow_of(const function_graph& function) {
    flow_graph flow;
    for (const auto& block : function.blocks) {
        flow.successors.push_back(block.successors);
        flow.returns.push_back(block.returns);
        flow.ends.push_back(block.ends);
    }
    return flow;
}

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

}  // namespace heddle::program
