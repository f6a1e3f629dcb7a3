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

constexpr float softening = 0x1p-10f;  // square of the distance below which gravity gets weaker
constexpr float scale = 0x1p20f;       // sums are whole numbers: the same in any order

/// What point k adds to the acceleration at (x, y, z).
struct pull {
    int x, y, z;
};

__forceinline__ float square_of_distance(const points& from, unsigned k, float x, float y,
                                         float z) {
    const float dx = from.x[k] - x;
    const float dy = from.y[k] - y;
    const float dz = from.z[k] - z;
    return fmaf(dx, dx, fmaf(dy, dy, dz * dz));
}

__forceinline__ pull pull_of(const points& from, unsigned k, float x, float y, float z) {
    const float near = 1.0f / sqrtf(square_of_distance(from, k, x, y, z) + softening);
    const float force = from.mass[k] * near * near * near * scale;
    return {static_cast<int>((from.x[k] - x) * force), static_cast<int>((from.y[k] - y) * force),
            static_cast<int>((from.z[k] - z) * force)};
}

__forceinline__ void add(int* sums, const pull& added) {
    atomicAdd(&sums[0], added.x);
    atomicAdd(&sums[1], added.y);
    atomicAdd(&sums[2], added.z);
}

/// A thread a body of one leaf, of `count` bodies from `first` on.
__global__ void bht_bodies(unsigned first, unsigned count, const float* xs, const float* ys,
                           const float* zs, const float* masses, float x, float y, float z,
                           int* sums) {
    const unsigned i = heddle::pockets::thread_number();
    if (i < count) add(sums, pull_of({xs, ys, zs, masses}, first + i, x, y, z));
}

/// A thread a body: walks the tree. A node is opened if the square of its distance is below
/// reach[node]. A leaf has count[node] bodies from first[node] on; count is 0 for other nodes.
template <class Mode>
__forceinline__ void bht_forces(unsigned bodies, const float* xs, const float* ys, const float* zs,
                                const float* masses, unsigned nodes, const unsigned* skip,
                                const unsigned* first, const unsigned* count, const float* reach,
                                const float* node_xs, const float* node_ys, const float* node_zs,
                                const float* node_masses, int* sums, unsigned threshold,
                                unsigned block) {
    const unsigned body = heddle::pockets::thread_number();
    if (body >= bodies) return;
    const points centres{node_xs, node_ys, node_zs, node_masses};
    const float x = xs[body];
    const float y = ys[body];
    const float z = zs[body];
    pull own{0, 0, 0};
    const auto take = [&](const pull& added) {
        own = {own.x + added.x, own.y + added.y, own.z + added.z};
    };
    for (unsigned node = 0;;) {
        // On to the next leaf that is opened.
        while (node < nodes) {
            if (square_of_distance(centres, node, x, y, z) >= reach[node]) {
                take(pull_of(centres, node, x, y, z));
                node = skip[node];
            } else if (count[node] == 0) {
                ++node;
            } else {
                break;
            }
        }
        heddle::warp_join();  // so that the lanes work on their leaves, or launch, together
        if (node >= nodes) break;
        const unsigned inside = count[node];
        const unsigned begin = first[node++];
        if (heddle::pockets::hand_on<Mode>({threshold, block}, inside, bht_bodies, begin, inside,
                                           xs, ys, zs, masses, x, y, z, sums + 3 * body))
            continue;
        for (unsigned k = begin; k < begin + inside; ++k)
            take(pull_of({xs, ys, zs, masses}, k, x, y, z));
    }
    add(sums + 3 * body, own);
}
HEDDLE_ENTRIES(bht_forces,
               (unsigned bodies, const float* xs, const float* ys, const float* zs,
                const float* masses, unsigned nodes, const unsigned* skip, const unsigned* first,
                const unsigned* count, const float* reach, const float* node_xs,
                const float* node_ys, const float* node_zs, const float* node_masses, int* sums,
                unsigned threshold, unsigned block),
               (bodies, xs, ys, zs, masses, nodes, skip, first, count, reach, node_xs, node_ys,
                node_zs, node_masses, sums, threshold, block))
