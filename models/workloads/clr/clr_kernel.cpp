// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/pocket_kernel.h"

// Graph colouring by independent sets (Jones, Plassmann; as color_max of Pannotia): in each round,
// the uncoloured vertices whose priority is the highest among their uncoloured neighbours get the
// round's colour. Priorities are different and start at 1; best[v] is the highest that v has seen.
constexpr unsigned uncoloured = 0xffffffff;

/// A thread a neighbour, of `count` from edge `first` on that leave one vertex.
__global__ void clr_neighbours(unsigned first, unsigned count, const unsigned* targets,
                               const unsigned* priority, const unsigned* colour, unsigned* best) {
    const unsigned i = heddle::pockets::thread_number();
    if (i >= count) return;
    const unsigned neighbour = targets[first + i];
    if (colour[neighbour] == uncoloured) atomicMax(best, priority[neighbour]);
}

/// A thread a vertex: looks at the uncoloured neighbours of an uncoloured one.
template <class Mode>
__forceinline__ void clr_look(unsigned vertices, const unsigned* offsets, const unsigned* targets,
                              const unsigned* priority, const unsigned* colour, unsigned* best,
                              heddle::pockets::limits pockets) {
    for (unsigned v = heddle::pockets::thread_number(); v < vertices;
         v += heddle::pockets::threads_of_grid()) {
        if (colour[v] != uncoloured) continue;
        const unsigned first = offsets[v];
        const unsigned end = offsets[v + 1];
        const unsigned handed =
            heddle::pockets::hand_on<Mode>(pockets, end - first, clr_neighbours, first, end - first,
                                           targets, priority, colour, &best[v]);
        unsigned highest = 0;
        for (unsigned edge = first + handed; edge < end; ++edge) {
            const unsigned neighbour = targets[edge];
            if (colour[neighbour] == uncoloured) highest = max(highest, priority[neighbour]);
        }
        if (handed == 0) {
            best[v] = highest;
        } else if (highest != 0) {
            atomicMax(&best[v], highest);
        }
    }
}
HEDDLE_ENTRIES(clr_look,
               (unsigned vertices, const unsigned* offsets, const unsigned* targets,
                const unsigned* priority, const unsigned* colour, unsigned* best,
                heddle::pockets::limits pockets),
               (vertices, offsets, targets, priority, colour, best, pockets))

/// Colours the vertices that have seen no higher priority, and prepares the others for the next
/// round; sets *left if there are any.
__global__ void clr_colour(unsigned vertices, unsigned round, const unsigned* priority,
                           unsigned* best, unsigned* colour, unsigned* left) {
    const unsigned v = heddle::pockets::thread_number();
    if (v >= vertices || colour[v] != uncoloured) return;
    if (priority[v] > best[v]) {
        colour[v] = round;
    } else {
        best[v] = 0;
        *left = 1;
    }
}
