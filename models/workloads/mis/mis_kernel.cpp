// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/cooperative_kernel.h"
#include "models/workloads/display_kernel.h"

// A maximal independent set (Luby; as mis of Pannotia), all rounds in one kernel. In each round the
// undecided vertices whose priority is the highest among their undecided neighbours join the set,
// and their neighbours leave.
constexpr unsigned undecided = 0;
constexpr unsigned inside = 1;
constexpr unsigned outside = 2;

struct mis_state {
    unsigned step;  ///< 0: look at the neighbours, 1: join the set, 2: leave
};

/// *left: some vertex was undecided when the round began. covered[v]: a neighbour has joined.
template <class Way>
void mis(mis_state at, unsigned* arrivals, unsigned vertices, const unsigned* offsets,
         const unsigned* targets, const unsigned* priority, unsigned* best, unsigned* covered,
         unsigned* status, unsigned* left) {
    while (true) {
        const unsigned first = heddle::coop::thread_number();
        const unsigned threads = heddle::coop::thread_count<Way>(arrivals);
        if (at.step == 1 && Way::load(left) == 0) return;
        if (at.step == 2 && first == 0) *left = 0;
        for (unsigned v = first; v < vertices; v += threads) {
            if (Way::load(&status[v]) != undecided) continue;
            if (at.step == 0) {
                unsigned highest = 0;
                for (unsigned edge = offsets[v]; edge < offsets[v + 1]; ++edge) {
                    const unsigned neighbour = targets[edge];
                    if (Way::load(&status[neighbour]) == undecided)
                        highest = max(highest, priority[neighbour]);
                }
                best[v] = highest;
                *left = 1;
            } else if (at.step == 1) {
                if (priority[v] < Way::load(&best[v])) continue;
                status[v] = inside;
                for (unsigned edge = offsets[v]; edge < offsets[v + 1]; ++edge)
                    covered[targets[edge]] = 1;
            } else if (Way::load(&covered[v]) != 0) {
                status[v] = outside;
            }
        }
        at.step = at.step == 2 ? 0 : at.step + 1;
        if (!Way::template barrier<mis<Way>>(at, arrivals)) return;
    }
}
HEDDLE_COOPERATIVE_ENTRIES(mis, (mis_state{0}),
                           (unsigned* arrivals, unsigned vertices, const unsigned* offsets,
                            const unsigned* targets, const unsigned* priority, unsigned* best,
                            unsigned* covered, unsigned* status, unsigned* left),
                           arrivals, vertices, offsets, targets, priority, best, covered, status,
                           left)
