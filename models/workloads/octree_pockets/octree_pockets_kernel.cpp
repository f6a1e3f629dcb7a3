// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/child_launch_kernel.h"
#include "models/workloads/cooperative_kernel.h"
#include "models/workloads/display_kernel.h"
#include "models/workloads/octree/octree_division_kernel.h"

// The octree level by level in one cooperative kernel: a thread has a cell with more than
// `threshold` points, which it hands to a child or divides itself. All blocks wait for each other
// behind each level, when their children have ended, and there blocks come and go.

/// Cells that are divided at a level, and those that this makes.
struct octree_cells {
    cell* list[2];   ///< of even and of odd levels
    unsigned* size;  ///< by level
};

/// Appends the octants to the cells of the next level.
__forceinline__ void append(const octree_cells& cells, unsigned level, const cell (&octants)[8],
                            unsigned made) {
    if (made == 0) return;
    const unsigned first = atomicAdd(&cells.size[level], made);
    for (unsigned i = 0; i < made; ++i) cells.list[level % 2][first + i] = octants[i];
}

/// A block for a cell.
__global__ void octree_divide(cell whole, octree_cells cells, octree_points points) {
    __shared__ division parts;
    __shared__ cell octants[8];
    __shared__ unsigned made;
    divide_in_block(whole, points, parts, octants, made);
    if (threadIdx.x == 0) append(cells, whole.depth + 1, octants, made);
}

/// A thread for a cell.
__forceinline__ void divide_alone(const cell& whole, const octree_cells& cells,
                                  const octree_points& points) {
    division parts = {};
    cell octants[8];
    const unsigned* const from = points.array[whole.depth % 2] + whole.first;
    unsigned* const to = points.array[1 - whole.depth % 2];
    for (unsigned i = 0; i < whole.count; ++i)
        ++parts.count[octant_of(__ldcg(&from[i]), whole.depth)];
    const unsigned made = place_octants(whole, parts, points, octants);
    for (unsigned i = 0; i < whole.count; ++i) {
        const unsigned point = __ldcg(&from[i]);
        const unsigned octant = octant_of(point, whole.depth);
        unsigned* const target = parts.is_leaf[octant] != 0 ? points.sorted : to;
        target[parts.next[octant]++] = point;
    }
    append(cells, whole.depth + 1, octants, made);
}

/// When a thread launches a child.
struct child_rule {
    unsigned threshold;  ///< points
    unsigned block;      ///< threads of a child
};

struct level_state {
    unsigned level;
};

template <class Way, class Mode>
void octree_levels(level_state at, unsigned* arrivals, octree_cells cells, octree_points points,
                   child_rule rule) {
    for (;;) {
        const unsigned count = Way::load(&cells.size[at.level]);
        if (count == 0) return;
        const unsigned threads = heddle::coop::thread_count<Way>(arrivals);
        for (unsigned i = heddle::coop::thread_number(); i < count; i += threads) {
            const cell& found = cells.list[at.level % 2][i];
            const cell own{Way::load(&found.first), Way::load(&found.count),
                           Way::load(&found.depth)};
            const heddle::launch_shape shape{dim3(1), dim3(rule.block), 0};
            const bool handed_on =
                Mode::launches && own.count >= rule.threshold &&
                Mode::launch(octree_divide, shape, own, cells, points) == heddle::no_error;
            if (!handed_on) divide_alone(own, cells, points);
        }
        if constexpr (Mode::launches) heddle::device_synchronize();
        ++at.level;
        if (!Way::template barrier<octree_levels<Way, Mode>>(at, arrivals)) return;
    }
}

/// The entries of a launch mode: HEDDLE_COOPERATIVE_ENTRIES wants a template over the way alone.
#define OCTREE_ENTRIES(mode)                                                                  \
    template <class Way>                                                                      \
    __forceinline__ void octree_pockets_##mode(level_state at, unsigned* arrivals,            \
                                               octree_cells cells, octree_points points,      \
                                               child_rule rule) {                             \
        octree_levels<Way, heddle::child::mode>(at, arrivals, cells, points, rule);           \
    }                                                                                         \
    HEDDLE_COOPERATIVE_ENTRIES(octree_pockets_##mode, level_state{cut},                       \
                               (unsigned* arrivals, octree_cells cells, octree_points points, \
                                child_rule rule, unsigned cut),                               \
                               arrivals, cells, points, rule)
OCTREE_ENTRIES(flat)
OCTREE_ENTRIES(cdp)
OCTREE_ENTRIES(dtbl)
