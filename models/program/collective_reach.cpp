// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/collective_reach.h"

#include <algorithm>
#include <map>

namespace heddle::program {

namespace {

class reach_finder {
public:
    reach_finder(const code_text& text, const std::vector<function_graph>& graphs,
                 const std::function<bool(const isa::instruction&)>& is_collective)
        : graphs_(graphs), contains_(graphs.size()), has_own_(graphs.size()) {
        for (std::size_t f = 0; f < graphs.size(); ++f) {
            function_at_[graphs[f].range.start] = f;
            for (const auto& block : graphs[f].blocks) {
                bool own = false;
                for (std::uint32_t pc = block.first; pc <= block.last; pc += 4) {
                    own = own || is_collective(text.at(pc));
                }
                has_own_[f].push_back(own);
                if (own) contains_[f] = true;
            }
        }
    }

    std::vector<collective_reach> find() {
        find_containing();
        std::vector<collective_reach> found(graphs_.size());
        for (std::size_t f = 0; f < graphs_.size(); ++f) found[f].meets = meeting_blocks(f);
        for (bool changed = true; changed;) {
            for (std::size_t f = 0; f < graphs_.size(); ++f) {
                found[f].block = reaching_blocks(f, found[f]);
            }
            changed = false;
            for (std::size_t f = 0; f < graphs_.size(); ++f) {
                for (const auto& call : graphs_[f].calls) {
                    changed |= reached_after(f, call, found) && mark_callees(call, found);
                }
            }
        }
        return found;
    }

private:
    /// Whether a call may go to a function that contains a collective operation.
    [[nodiscard]] bool may_meet_in(const call_site& call) const {
        if (!call.target) {
            return std::find(contains_.begin(), contains_.end(), true) != contains_.end();
        }
        const auto callee = function_at_.find(*call.target);
        return callee != function_at_.end() && contains_[callee->second];
    }

    void find_containing() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t f = 0; f < graphs_.size(); ++f) {
                const auto& calls = graphs_[f].calls;
                if (contains_[f] || std::none_of(calls.begin(), calls.end(),
                                                 [&](auto& call) { return may_meet_in(call); })) {
                    continue;
                }
                contains_[f] = changed = true;
            }
        }
    }

    [[nodiscard]] std::vector<bool> meeting_blocks(std::size_t f) const {
        std::vector<bool> meeting = has_own_[f];
        for (const auto& call : graphs_[f].calls) {
            if (may_meet_in(call)) meeting[block_of(graphs_[f], call.pc)] = true;
        }
        return meeting;
    }

    [[nodiscard]] std::vector<bool> reaching_blocks(std::size_t f,
                                                    const collective_reach& found) const {
        flow_graph flow = flow_of(graphs_[f]);
        for (std::size_t b = 0; b < flow.returns.size(); ++b) {
            flow.returns[b] = found.meets[b] || (found.after_return && flow.returns[b]);
        }
        return can_return(flow);
    }

    static std::size_t block_of(const function_graph& graph, std::uint32_t pc) {
        const auto behind =
            std::upper_bound(graph.blocks.begin(), graph.blocks.end(), pc,
                             [](std::uint32_t at, const basic_block& b) { return at < b.first; });
        return static_cast<std::size_t>(behind - graph.blocks.begin()) - 1;
    }

    /// Whether threads that come back from the call in function f may meet later.
    [[nodiscard]] bool reached_after(std::size_t f, const call_site& call,
                                     const std::vector<collective_reach>& found) const {
        if (call.tail) return found[f].after_return;
        const auto& next = graphs_[f].blocks[block_of(graphs_[f], call.pc)].successors;
        return std::any_of(next.begin(), next.end(),
                           [&](std::size_t block) { return found[f].block[block]; });
    }

    bool mark_callees(const call_site& call, std::vector<collective_reach>& found) const {
        bool changed = false;
        const auto mark = [&](collective_reach& callee) {
            changed |= !callee.after_return;
            callee.after_return = true;
        };
        if (!call.target) {
            std::for_each(found.begin(), found.end(), mark);
        } else if (const auto callee = function_at_.find(*call.target);
                   callee != function_at_.end()) {
            mark(found[callee->second]);
        }
        return changed;
    }

    const std::vector<function_graph>& graphs_;
    std::map<std::uint32_t, std::size_t> function_at_;
    std::vector<bool> contains_;
    std::vector<std::vector<bool>> has_own_;  ///< of each function's blocks
};

}  // namespace

std::vector<collective_reach> find_collective_reach(
    const code_text& text, const std::vector<function_graph>& graphs,
    const std::function<bool(const isa::instruction&)>& is_collective) {
    return reach_finder(text, graphs, is_collective).find();
}

}  // namespace heddle::program
