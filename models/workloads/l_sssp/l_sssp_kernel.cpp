// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/cooperative_kernel.h"
#include "models/workloads/display_kernel.h"

// Shortest paths with lists of vertices (as sssp of Lonestar), all rounds in one kernel: the
// threads visit the vertices of one list and write those whose cost they lower to the other.

struct paths_state {
    unsigned step;  ///< 0: visit, 1: the lists change places
    unsigned round;
    unsigned* in;  ///< a list: its length, then vertices
    unsigned* out;
};

/// listed[v]: the last round that has written v to its list, so that a round writes it once.
template <class Way>
void l_sssp(paths_state at, unsigned* arrivals, const unsigned* offsets, const unsigned* targets,
            const unsigned* weights, unsigned* cost, unsigned* listed) {
    while (true) {
        const unsigned first = heddle::coop::thread_number();
        if (at.step == 0) {
            const unsigned length = Way::load(at.in);
            if (length == 0) return;
            const unsigned threads = heddle::coop::thread_count<Way>(arrivals);
            for (unsigned i = first; i < length; i += threads) {
                const unsigned v = Way::load(&at.in[1 + i]);
                const unsigned own = Way::load(&cost[v]);
                for (unsigned edge = offsets[v]; edge < offsets[v + 1]; ++edge) {
                    const unsigned target = targets[edge];
                    const unsigned found = own + weights[edge];
                    // The plain load may be too high, which costs an atomic without effect.
                    if (found < cost[target] && found < atomicMin(&cost[target], found) &&
                        atomicExch(&listed[target], at.round + 1) != at.round + 1)
                        at.out[1 + atomicAdd(at.out, 1u)] = target;
                }
            }
        } else {
            unsigned* const visited = at.in;
            at.in = at.out;
            at.out = visited;
            if (first == 0) *at.out = 0;
            ++at.round;
        }
        at.step = 1 - at.step;
        if (!Way::template barrier<l_sssp<Way>>(at, arrivals)) return;
    }
}

HEDDLE_COOPERATIVE_ENTRIES(l_sssp, (paths_state{0, 0, in, out}),
                           (unsigned* arrivals, const unsigned* offsets, const unsigned* targets,
                            const unsigned* weights, unsigned* cost, unsigned* listed, unsigned* in,
                            unsigned* out),
                           arrivals, offsets, targets, weights, cost, listed)
