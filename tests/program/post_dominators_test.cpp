// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/post_dominators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/base/random.h"

namespace heddle::program {
namespace {

flow_graph make_graph(std::vector<std::vector<std::size_t>> successors,
                      const std::set<std::size_t>& returns,
                      const std::set<std::size_t>& ends = {}) {
    flow_graph graph;
    graph.successors = std::move(successors);
    for (std::size_t i = 0; i < graph.successors.size(); ++i) {
        graph.returns.push_back(returns.count(i) != 0);
        graph.ends.push_back(ends.count(i) != 0);
    }
    return graph;
}

TEST(post_dominators, diamond_meets_at_its_end) {
    const auto parents = post_dominators(make_graph({{1, 2}, {3}, {3}, {}}, {3}));
    EXPECT_EQ(parents, (std::vector<std::size_t>{3, 3, 3, virtual_exit}));
}

TEST(post_dominators, the_thesis_figure_3_1) {
    // A → B, F; B → C, D; C → E; D → E; E → G; F → G.
    enum { A, B, C, D, E, F, G };
    const auto parents = post_dominators(make_graph({{B, F}, {C, D}, {E}, {E}, {G}, {G}, {}}, {G}));
    EXPECT_EQ(parents[A], G);
    EXPECT_EQ(parents[B], E);
    EXPECT_EQ(parents[E], G);
}

TEST(post_dominators, loop_branch_meets_behind_the_loop) {
    const auto parents = post_dominators(make_graph({{1}, {1, 2}, {}}, {2}));
    EXPECT_EQ(parents[1], 2u);
}

TEST(post_dominators, two_returns_meet_only_at_the_exit) {
    const auto parents = post_dominators(make_graph({{1, 2}, {}, {}}, {1, 2}));
    EXPECT_EQ(parents[0], virtual_exit);
}

TEST(post_dominators, nobody_waits_for_threads_that_end) {
    // 0 → exit or 2; 2 → 3 or 4 → 5 returns.
    const auto parents = post_dominators(make_graph({{1, 2}, {}, {3, 4}, {5}, {5}, {}}, {5}, {1}));
    EXPECT_EQ(parents[0], 2u);
    EXPECT_EQ(parents[2], 5u);
    EXPECT_EQ(parents[1], virtual_exit);
}

TEST(post_dominators, a_function_that_only_ends_meets_at_its_ends) {
    const auto parents = post_dominators(make_graph({{1, 2}, {3}, {3}, {}}, {}, {3}));
    EXPECT_EQ(parents[0], 3u);
}

TEST(post_dominators, endless_loops_terminate_the_analysis) {
    // 0 → 1 ⇄ 2, no way out; 3 is never reached and loops on itself.
    const auto parents = post_dominators(make_graph({{1}, {2}, {1}, {3}}, {}));
    EXPECT_EQ(parents[0], 1u);
    EXPECT_EQ(parents[1], virtual_exit);  // the lowest node stands for the exit
    EXPECT_EQ(parents[2], 1u);
    EXPECT_EQ(parents[3], virtual_exit);
}

/// Whether some path leads from `from` to an exit without touching `avoid`.
bool escapes(const flow_graph& graph, const std::vector<bool>& leaves, std::size_t from,
             std::size_t avoid) {
    std::vector<bool> seen(graph.successors.size(), false);
    std::vector<std::size_t> work;
    if (from != avoid) work.push_back(from);
    while (!work.empty()) {
        const std::size_t node = work.back();
        work.pop_back();
        if (seen[node]) continue;
        seen[node] = true;
        if (leaves[node]) return true;
        for (const std::size_t next : graph.successors[node]) {
            if (next != avoid) work.push_back(next);
        }
    }
    return false;
}

TEST(post_dominators, random_graphs_agree_with_the_definition) {
    random_stream random{1, "post_dominators"};
    unsigned checked = 0;
    for (unsigned round = 0; round < 3000; ++round) {
        const std::size_t nodes = 1 + random.below(12);
        flow_graph graph;
        for (std::size_t i = 0; i < nodes; ++i) {
            graph.successors.emplace_back();
            for (unsigned edges = static_cast<unsigned>(random.below(3)); edges > 0; --edges) {
                graph.successors.back().push_back(random.below(nodes));
            }
            // Dead ends return or end; a few others may return too.
            const bool dead = graph.successors.back().empty();
            const bool ends = dead && random.chance(0.3);
            graph.ends.push_back(ends);
            graph.returns.push_back(!ends && (dead || random.chance(0.1)));
        }
        const auto returning = can_return(graph);
        const auto parents = post_dominators(graph);
        for (std::size_t i = 0; i < nodes; ++i) {
            ASSERT_EQ(returning[i], escapes(graph, graph.returns, i, nodes)) << round;
            // The definition, on the part of the graph that decides about node i. Closed loops
            // without an end have a convention of their own (above).
            flow_graph part = graph;
            for (std::size_t n = 0; n < nodes; ++n) {
                if (!returning[i]) continue;
                auto& next = part.successors[n];
                next.erase(std::remove_if(next.begin(), next.end(),
                                          [&](std::size_t s) { return !returning[s]; }),
                           next.end());
            }
            const auto& leaves = returning[i] ? part.returns : part.ends;
            if (!escapes(part, leaves, i, nodes)) continue;
            bool loops = false;
            for (std::size_t n = 0; n < nodes; ++n) {
                loops = loops || (!returning[n] && !escapes(graph, graph.ends, n, nodes));
            }
            if (!returning[i] && loops) continue;
            std::vector<std::size_t> dominators;
            for (std::size_t d = 0; d < nodes; ++d) {
                if (d != i && !escapes(part, leaves, i, d)) dominators.push_back(d);
            }
            std::size_t immediate = virtual_exit;
            for (const std::size_t d : dominators) {
                // The nearest: every other post-dominator of i also post-dominates it.
                bool nearest = true;
                for (const std::size_t other : dominators) {
                    nearest = nearest && (other == d || !escapes(part, leaves, d, other));
                }
                if (nearest) immediate = d;
            }
            ASSERT_EQ(parents[i], immediate) << "round " << round << " node " << i;
            ++checked;
        }
    }
    EXPECT_GT(checked, 10000u);
}

}  // namespace
}  // namespace heddle::program
