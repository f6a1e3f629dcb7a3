// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/cooperative_kernel.h"
#include "models/workloads/display_kernel.h"

// Breadth-first search with lists of vertices (as bfs of Lonestar), all levels in one kernel: the
// threads visit the vertices of one list and write those that they reach to the other.
constexpr unsigned unreached = 0xffffffff;

struct search_state {
    unsigned step;  ///< 0: visit, 1: the lists change places
    unsigned level;
    unsigned* in;  ///< a list: its length, then vertices
    unsigned* out;
};

template <class Way>
void l_bfs(search_state at, unsigned* arrivals, const unsigned* offsets, const unsigned* targets,
           unsigned* distance) {
    while (true) {
        const unsigned first = heddle::coop::thread_number();
        if (at.step == 0) {
            const unsigned length = Way::load(at.in);
            if (length == 0) return;
            const unsigned threads = heddle::coop::thread_count<Way>(arrivals);
            for (unsigned i = first; i < length; i += threads) {
                const unsigned v = Way::load(&at.in[1 + i]);
                for (unsigned edge = offsets[v]; edge < offsets[v + 1]; ++edge) {
                    const unsigned target = targets[edge];
                    // The plain load may be too high, which costs an atomic without effect.
                    if (distance[target] == unreached &&
                        atomicCAS(&distance[target], unreached, at.level + 1) == unreached)
                        at.out[1 + atomicAdd(at.out, 1u)] = target;
                }
            }
        } else {
            unsigned* const visited = at.in;
            at.in = at.out;
            at.out = visited;
            if (first == 0) *at.out = 0;
            ++at.level;
        }
        at.step = 1 - at.step;
        if (!Way::template barrier<l_bfs<Way>>(at, arrivals)) return;
    }
}

HEDDLE_COOPERATIVE_ENTRIES(l_bfs, (search_state{0, 0, in, out}),
                           (unsigned* arrivals, const unsigned* offsets, const unsigned* targets,
                            unsigned* distance, unsigned* in, unsigned* out),
                           arrivals, offsets, targets, distance)
