// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

#include "models/workloads/lbm/lattice.h"

// Operations are rounded one by one, in the order of the serial reference.
#pragma STDC FP_CONTRACT OFF

namespace {

using namespace heddle::lattice;

/// value times a component of a velocity, added to sum.
__forceinline__ void add_product(float& sum, int component, float value) {
    if (component > 0) sum += value;
    if (component < 0) sum -= value;
}

// Where sums begin: the compiler leaves out its addition, which changes no number.
constexpr float nothing = -0.0f;

/// One step of the lattice Boltzmann method, one thread a cell: collide, then stream to the
/// neighbours. A solid cell sends back what came in. A grid has `cells` cells of 20 values, x
/// fastest, `row` cells in a row and `plane` in a plane. Values that leave the grid go to the cells
/// before and behind it. A value is the first of `words` words. Each value of `to` has one writer.
template <unsigned words>
__forceinline__ void step(unsigned cells, int row, int plane, const float* from, float* to) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    const float* const cell = from + i * site_words * words;
    float* const target = to + i * site_words * words;
    const auto neighbour = [&](unsigned d) {
        const velocity v = velocities[d];
        return ((v.x + v.y * row + v.z * plane) * static_cast<int>(site_words) +
                static_cast<int>(d)) *
               static_cast<int>(words);
    };
    const float kind = cell[kind_word * words];
    if (kind == solid) {
#pragma clang loop unroll(full)
        for (unsigned d = 0; d < directions; ++d) target[neighbour(d)] = cell[opposite(d) * words];
        return;
    }
    float density = nothing, x = nothing, y = nothing, z = nothing;
#pragma clang loop unroll(full)
    for (unsigned d = 0; d < directions; ++d) {
        density += cell[d * words];
        add_product(x, velocities[d].x, cell[d * words]);
        add_product(y, velocities[d].y, cell[d * words]);
        add_product(z, velocities[d].z, cell[d * words]);
    }
    x /= density;
    y /= density;
    z /= density;
    if (kind == driven) {
        x = driven_x;
        y = driven_y;
        z = 0.0f;
    }
    const float energy = 1.5f * (x * x + y * y + z * z);
#pragma clang loop unroll(full)
    for (unsigned d = 0; d < directions; ++d) {
        float along = nothing;
        add_product(along, velocities[d].x, x);
        add_product(along, velocities[d].y, y);
        add_product(along, velocities[d].z, z);
        const float level = weight(d) * density * (1.0f + along * (3.0f + 4.5f * along) - energy);
        target[neighbour(d)] = (1.0f - relaxation) * cell[d * words] + relaxation * level;
    }
}

}  // namespace

__global__ void lbm(unsigned cells, int row, int plane, const float* from, float* to) {
    step<1>(cells, row, plane, from, to);
}

/// Values of eight bytes.
__global__ void lbm_wide(unsigned cells, int row, int plane, const float* from, float* to) {
    step<2>(cells, row, plane, from, to);
}
