// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/cooperative_kernel.h"
#include "models/workloads/display_kernel.h"

// Shortest paths by products of the matrix of weights with the vector of costs, in the algebra of
// minimum and sum (as sssp of Pannotia), all rounds in one kernel.
constexpr unsigned no_path = 0xffffffff;

struct paths_state {
    unsigned step;  ///< 0: multiply, 1: compare, 2: take over
};

/// The edges are those that lead to a vertex. *changed: the round has lowered a cost.
template <class Way>
void p_sssp(paths_state at, unsigned* arrivals, unsigned vertices, const unsigned* offsets,
            const unsigned* sources, const unsigned* weights, unsigned* cost, unsigned* lower,
            unsigned* changed) {
    while (true) {
        const unsigned first = heddle::coop::thread_number();
        const unsigned threads = heddle::coop::thread_count<Way>(arrivals);
        if (at.step == 2 && Way::load(changed) == 0) return;
        if (at.step == 0 && first == 0) *changed = 0;
        for (unsigned v = first; v < vertices; v += threads) {
            if (at.step == 0) {
                unsigned least = Way::load(&cost[v]);
                for (unsigned edge = offsets[v]; edge < offsets[v + 1]; ++edge) {
                    const unsigned before = Way::load(&cost[sources[edge]]);
                    if (before != no_path) least = min(least, before + weights[edge]);
                }
                lower[v] = least;
            } else if (at.step == 1) {
                if (Way::load(&lower[v]) != Way::load(&cost[v])) *changed = 1;
            } else {
                cost[v] = Way::load(&lower[v]);
            }
        }
        at.step = at.step == 2 ? 0 : at.step + 1;
        if (!Way::template barrier<p_sssp<Way>>(at, arrivals)) return;
    }
}
HEDDLE_COOPERATIVE_ENTRIES(p_sssp, (paths_state{0}),
                           (unsigned* arrivals, unsigned vertices, const unsigned* offsets,
                            const unsigned* sources, const unsigned* weights, unsigned* cost,
                            unsigned* lower, unsigned* changed),
                           arrivals, vertices, offsets, sources, weights, cost, lower, changed)
