// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/pocket_kernel.h"

// Gravity by a Barnes-Hut tree (Burtscher, Pingali, "An Efficient CUDA Implementation of the
// Tree-Based Barnes Hut n-Body Algorithm", GPU Computing Gems, 2011). Nodes are in depth-first
// order: a node that is not opened is followed by node skip[node], an opened one by its first
// child.

/// x, y, z and mass of bodies, or of nodes: their centre of mass.
struct points {
    const float *x, *y, *z, *mass;
};

/// A node is opened if the square of its distance is below reach[node]. A leaf has count[node]
/// bodies from first[node] on; count is 0 for other nodes.
struct tree {
    points bodies, centres;
    unsigned nodes;
    const unsigned *skip, *first, *count;
    const float* reach;
    float* forces;  ///< x, y and z for each body
};

constexpr float softening = 0x1p-10f;  // square of the distance below which gravity gets weaker

struct vector {
    float x, y, z;
};

__forceinline__ float square_of_distance(const points& from, unsigned k, const vector& to) {
    const float dx = from.x[k] - to.x;
    const float dy = from.y[k] - to.y;
    const float dz = from.z[k] - to.z;
    return fmaf(dx, dx, fmaf(dy, dy, dz * dz));
}

/// Adds what point k pulls at `to`.
__forceinline__ void pull(const points& from, unsigned k, const vector& to, vector& force) {
    const float near = 1.0f / sqrtf(square_of_distance(from, k, to) + softening);
    const float scale = from.mass[k] * near * near * near;
    force.x = fmaf(from.x[k] - to.x, scale, force.x);
    force.y = fmaf(from.y[k] - to.y, scale, force.y);
    force.z = fmaf(from.z[k] - to.z, scale, force.z);
}

/// The force on a body: a walk through the tree.
__forceinline__ void walk(const tree& all, unsigned body) {
    const vector here{all.bodies.x[body], all.bodies.y[body], all.bodies.z[body]};
    vector force{0, 0, 0};
    for (unsigned node = 0;;) {
        // On to the next leaf that is opened.
        while (node < all.nodes) {
            if (square_of_distance(all.centres, node, here) >= all.reach[node]) {
                pull(all.centres, node, here, force);
                node = all.skip[node];
            } else if (all.count[node] == 0) {
                ++node;
            } else {
                break;
            }
        }
        heddle::warp_join();  // so that the lanes work on their leaves together
        if (node >= all.nodes) break;
        const unsigned first = all.first[node];
        const unsigned end = first + all.count[node];
        for (unsigned k = first; k < end; ++k) pull(all.bodies, k, here, force);
        ++node;
    }
    all.forces[3 * body] = force.x;
    all.forces[3 * body + 1] = force.y;
    all.forces[3 * body + 2] = force.z;
}

/// A thread a body of a leaf, of `count` bodies from `first` on.
__global__ void bht_bodies(unsigned first, unsigned count, tree all) {
    const unsigned i = heddle::pockets::thread_number();
    if (i < count) walk(all, first + i);
}

/// A thread a leaf: walks for each of its bodies.
template <class Mode>
__forceinline__ void bht_leaves(unsigned leaves, const unsigned* nodes_of_leaves, const float* xs,
                                const float* ys, const float* zs, const float* masses,
                                unsigned nodes, const unsigned* skip, const unsigned* first,
                                const unsigned* count, const float* reach, const float* node_xs,
                                const float* node_ys, const float* node_zs,
                                const float* node_masses, float* forces,
                                heddle::pockets::limits pockets) {
    const tree all{{xs, ys, zs, masses},
                   {node_xs, node_ys, node_zs, node_masses},
                   nodes,
                   skip,
                   first,
                   count,
                   reach,
                   forces};
    for (unsigned leaf = heddle::pockets::thread_number(); leaf < leaves;
         leaf += heddle::pockets::threads_of_grid()) {
        const unsigned begin = first[nodes_of_leaves[leaf]];
        const unsigned bodies = count[nodes_of_leaves[leaf]];
        const unsigned handed =
            heddle::pockets::hand_on<Mode>(pockets, bodies, bht_bodies, begin, bodies, all);
        for (unsigned body = begin + handed; body < begin + bodies; ++body) walk(all, body);
    }
}
HEDDLE_ENTRIES(bht_leaves,
               (unsigned leaves, const unsigned* nodes_of_leaves, const float* xs, const float* ys,
                const float* zs, const float* masses, unsigned nodes, const unsigned* skip,
                const unsigned* first, const unsigned* count, const float* reach,
                const float* node_xs, const float* node_ys, const float* node_zs,
                const float* node_masses, float* forces, heddle::pockets::limits pockets),
               (leaves, nodes_of_leaves, xs, ys, zs, masses, nodes, skip, first, count, reach,
                node_xs, node_ys, node_zs, node_masses, forces, pockets))
