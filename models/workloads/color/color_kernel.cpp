// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/cooperative_kernel.h"
#include "models/workloads/display_kernel.h"

// Graph colouring by independent sets (Jones, Plassmann; as color_max of Pannotia), all rounds in
// one kernel. In each round the uncoloured vertices whose priority is the highest among their
// uncoloured neighbours get the round's colour.
constexpr unsigned uncoloured = 0xffffffff;

struct color_state {
    unsigned step;   ///< 0: look at the neighbours, 1: give colours
    unsigned round;  ///< the colour
};

/// left[round % 2]: some vertex has no colour after the round. At first left[1] is 1.
template <class Way>
void color(color_state at, unsigned* arrivals, unsigned vertices, const unsigned* offsets,
           const unsigned* targets, const unsigned* priority, unsigned* best, unsigned* colour,
           unsigned* left) {
    while (true) {
        const unsigned first = heddle::coop::thread_number();
        const unsigned threads = heddle::coop::thread_count<Way>(arrivals);
        if (at.step == 0) {
            if (Way::load(&left[(at.round + 1) % 2]) == 0) return;
            if (first == 0) left[at.round % 2] = 0;
            for (unsigned v = first; v < vertices; v += threads) {
                if (Way::load(&colour[v]) != uncoloured) continue;
                unsigned highest = 0;
                for (unsigned edge = offsets[v]; edge < offsets[v + 1]; ++edge) {
                    const unsigned neighbour = targets[edge];
                    if (Way::load(&colour[neighbour]) == uncoloured)
                        highest = max(highest, priority[neighbour]);
                }
                best[v] = highest;
            }
        } else {
            for (unsigned v = first; v < vertices; v += threads) {
                if (Way::load(&colour[v]) != uncoloured) continue;
                if (priority[v] > Way::load(&best[v])) {
                    colour[v] = at.round;
                } else {
                    left[at.round % 2] = 1;
                }
            }
            ++at.round;
        }
        at.step = 1 - at.step;
        if (!Way::template barrier<color<Way>>(at, arrivals)) return;
    }
}
HEDDLE_COOPERATIVE_ENTRIES(color, (color_state{0, 0}),
                           (unsigned* arrivals, unsigned vertices, const unsigned* offsets,
                            const unsigned* targets, const unsigned* priority, unsigned* best,
                            unsigned* colour, unsigned* left),
                           arrivals, vertices, offsets, targets, priority, best, colour, left)
