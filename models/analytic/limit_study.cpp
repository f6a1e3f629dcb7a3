// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/limit_study.h"

#include <algorithm>
#include <map>

#include "models/analytic/alignment.h"
#include "models/program/kernel.h"
#include "models/program/post_dominators.h"
#include "models/simt/reconvergence_stack.h"

namespace heddle::analytic {
namespace {

using simt::lane_mask;
using simt::transfer;

/// The control flow graph of the traces.
class traced_graph {
public:
    traced_graph(const std::vector<traced_block>& blocks,
                 const std::vector<thread_traces::warp>& warps)
        : blocks_(blocks) {
        program::flow_graph graph;
        graph.successors.resize(blocks.size());
        graph.returns.resize(blocks.size());
        graph.ends.resize(blocks.size());
        std::map<std::uint32_t, std::size_t> number_of;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            number_of[blocks[i].first] = i;
            cost.push_back(blocks[i].instructions);
            graph.returns[i] = blocks[i].end == block_end::ret;
        }
        const auto add_edge = [&](std::size_t from, std::size_t to) {
            auto& known = graph.successors[from];
            if (std::find(known.begin(), known.end(), to) == known.end()) known.push_back(to);
        };
        for (const auto& warp : warps) {
            for (const auto& trace : warp) {
                graph.ends[trace.back()] = true;  // also where the file was cut
                for (std::size_t i = 0; i + 1 < trace.size(); ++i) {
                    const traced_block& block = blocks[trace[i]];
                    if (block.end == block_end::ret) continue;
                    if (block.end != block_end::call) add_edge(trace[i], trace[i + 1]);
                    const auto behind = number_of.find(block.behind());
                    if (block.end == block_end::call && behind != number_of.end()) {
                        add_edge(trace[i], behind->second);
                    }
                }
            }
        }
        post_dominators_ = program::post_dominators(graph);
    }

    [[nodiscard]] const traced_block& block(std::size_t number) const { return blocks_[number]; }
    /// PC at which threads meet again that part behind a block.
    [[nodiscard]] std::uint32_t reconvergence(std::size_t block) const {
        const std::size_t meets = post_dominators_[block];
        return meets == program::virtual_exit ? program::function_exit : blocks_[meets].first;
    }

    std::vector<std::uint32_t> cost;  ///< instructions of each block

private:
    const std::vector<traced_block>& blocks_;
    std::vector<std::size_t> post_dominators_;
};

/// Lanes of one warp on their way through their traces.
class walk {
public:
    walk(const traced_graph& graph, const thread_traces::warp& warp)
        : graph_(graph), warp_(warp), at_(warp.size(), 0) {}

    [[nodiscard]] lane_mask all() const noexcept { return (lane_mask{1} << warp_.size()) - 1; }
    [[nodiscard]] std::uint32_t block_of(lane_mask lanes) const {
        const auto lane = static_cast<std::size_t>(__builtin_ctzll(lanes));
        return warp_[lane][at_[lane]];
    }
    /// The lanes, which are at one block, execute it. Those whose trace ends there go into `ended`,
    /// the others into groups by where they go; behind the block first.
    std::vector<simt::lane_group> step(lane_mask lanes, lane_mask& ended) {
        const std::uint32_t behind = graph_.block(block_of(lanes)).behind();
        std::vector<simt::lane_group> groups;
        ended = 0;
        for (std::size_t lane = 0; lane < warp_.size(); ++lane) {
            const lane_mask bit = lane_mask{1} << lane;
            if ((lanes & bit) == 0) continue;
            if (++at_[lane] == warp_[lane].size()) {
                ended |= bit;
                continue;
            }
            const std::uint32_t next = graph_.block(warp_[lane][at_[lane]]).first;
            const auto group = std::find_if(groups.begin(), groups.end(),
                                            [&](const auto& g) { return g.pc == next; });
            if (group != groups.end()) {
                group->lanes |= bit;
            } else {
                groups.insert(next == behind ? groups.begin() : groups.end(), {next, bit});
            }
        }
        return groups;
    }

private:
    const traced_graph& graph_;
    const thread_traces::warp& warp_;
    std::vector<std::size_t> at_;
};

std::uint64_t without_reconvergence(const traced_graph& graph, const thread_traces::warp& warp) {
    std::uint64_t issued = 0;
    walk threads(graph, warp);
    std::vector<lane_mask> splits{threads.all()};
    while (!splits.empty()) {
        const lane_mask lanes = splits.back();
        splits.pop_back();
        issued += graph.cost[threads.block_of(lanes)];
        lane_mask ended = 0;
        for (const auto& group : threads.step(lanes, ended)) splits.push_back(group.lanes);
    }
    return issued;
}

transfer transfer_behind(const traced_graph& graph, std::uint32_t block,
                         const std::vector<simt::lane_group>& groups) {
    using kind = transfer::kind;
    transfer to;
    const block_end end = graph.block(block).end;
    to.what = end == block_end::call  ? kind::call
              : end == block_end::ret ? kind::ret
              : groups.size() == 1    ? kind::together
                                      : kind::part;
    to.reconvergence_pc = graph.reconvergence(block);
    to.return_address = graph.block(block).behind();
    to.count = static_cast<unsigned>(groups.size());
    std::copy(groups.begin(), groups.end(), to.groups.begin());
    return to;
}

std::uint64_t at_post_dominators(const traced_graph& graph, const thread_traces::warp& warp) {
    std::uint64_t issued = 0;
    walk threads(graph, warp);
    simt::reconvergence_stack stack;
    stack.reset(graph.block(threads.block_of(threads.all())).first, threads.all());
    while (!stack.empty()) {
        const lane_mask lanes = stack.top().lanes;
        const std::uint32_t block = threads.block_of(lanes);
        issued += graph.cost[block];
        lane_mask ended = 0;
        const auto groups = threads.step(lanes, ended);
        if (!groups.empty()) stack.follow(transfer_behind(graph, block, groups));
        if (ended != 0) stack.exit(ended);
    }
    return issued;
}

/// The parts of a trace that end with a barrier, or with the trace.
std::vector<block_sequence> between_barriers(const traced_graph& graph,
                                             const thread_traces::trace& trace) {
    std::vector<block_sequence> parts(1);
    for (const std::uint32_t block : trace) {
        parts.back().push_back(block);
        if (graph.block(block).end == block_end::barrier) parts.emplace_back();
    }
    return parts;
}

std::uint64_t aligned(const traced_graph& graph, const thread_traces::warp& warp) {
    std::vector<block_sequence> threads[study_warp_size];
    std::size_t parts = 0;
    for (std::size_t i = 0; i < warp.size(); ++i) {
        threads[i] = between_barriers(graph, warp[i]);
        parts = std::max(parts, threads[i].size());
    }
    std::uint64_t issued = 0;
    for (auto& thread : threads) thread.resize(parts);
    for (std::size_t p = 0; p < parts; ++p) {
        const auto cost_in_pairs = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
            return cost_of(merge(merge(threads[a][p], threads[b][p], graph.cost),
                                 merge(threads[c][p], threads[d][p], graph.cost), graph.cost),
                           graph.cost);
        };
        issued += std::min(
            {cost_in_pairs(0, 1, 2, 3), cost_in_pairs(0, 2, 1, 3), cost_in_pairs(0, 3, 1, 2)});
    }
    return issued;
}

}  // namespace

limit_study study_reconvergence(const thread_traces& traces) {
    const auto warps = traces.warps(study_threads, study_warp_size);
    const traced_graph graph(traces.blocks(), warps);
    limit_study study;
    study.warps = warps.size();
    for (const auto& warp : warps) {
        for (const auto& trace : warp) study.thread_instructions += cost_of(trace, graph.cost);
        study.no_reconvergence += without_reconvergence(graph, warp);
        study.post_dominator += at_post_dominators(graph, warp);
        study.oracle += aligned(graph, warp);
    }
    return study;
}

}  // namespace heddle::analytic
