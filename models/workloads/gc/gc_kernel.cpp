// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/critical_section_kernel.h"

// Greedy colouring of a graph of each block; the colours are in shared memory, 0 is none. For each
// vertex a section reads the colours of its neighbours and writes the lowest that none of them has;
// a second one, which only reads, counts the neighbours that have the same colour. No order of the
// sections gives any.

/// The edges of vertex v lead to targets[offsets[v] .. offsets[v + 1]), at most 30. Vertices are
/// numbered through all blocks in `offsets`, and in their block in `targets`.
template <class Version>
__forceinline__ void gc(unsigned items, const unsigned* offsets, const unsigned* targets,
                        unsigned* colours, unsigned* equal) {
    unsigned* const colour = heddle::critical::begin<Version>(items);
    heddle::critical::for_each_item<Version>(items, [&](unsigned item) {
        const unsigned vertex = blockIdx.x * items + item;
        const unsigned first = offsets[vertex], end = offsets[vertex + 1];
        Version::run([&] {
            unsigned used = 1;  // bit c: a neighbour has colour c
            for (unsigned e = first; e < end; ++e) used |= 1u << colour[targets[e]];
            unsigned lowest = 1;
            while ((used >> lowest & 1) != 0) ++lowest;
            colour[item] = lowest;
        });
        unsigned same = 0;
        Version::run([&] {
            const unsigned mine = colour[item];
            for (unsigned e = first; e < end; ++e) same += colour[targets[e]] == mine ? 1 : 0;
        });
        equal[vertex] = same;
    });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < items; i += blockDim.x) {
        colours[blockIdx.x * items + i] = colour[i];
    }
}

HEDDLE_CRITICAL_ENTRIES(gc,
                        (unsigned items, const unsigned* offsets, const unsigned* targets,
                         unsigned* colours, unsigned* equal),
                        (items, offsets, targets, colours, equal))
