// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The kernels of docs/own_data.md.
#include <heddle.h>

/// One step of heat that spreads over a plate; its edge keeps its temperature.
__global__ void heat(unsigned rows, unsigned columns, double rate, const double* from, double* to) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    const unsigned row = i / columns;
    const unsigned column = i % columns;
    if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
        to[i] = from[i];
        return;
    }
    const double around = from[i - columns] + from[i + columns] + from[i - 1] + from[i + 1];
    to[i] = from[i] + rate * (around - 4 * from[i]);
}

struct particle {
    float position[3];
    unsigned id;
    double mass;
    unsigned char moves;
};

struct step {
    float velocity[3];
    float time;
};

__global__ void advance(unsigned n, step by, particle* all) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || all[i].moves == 0) return;
    for (unsigned d = 0; d < 3; ++d) all[i].position[d] += by.velocity[d] * by.time;
}

/// Sums what the neighbours of each vertex have; the edges of vertex v are first[v] to first[v+1].
__global__ void gather(unsigned n, const long long* first, const long long* targets,
                       const long long* values, long long* sums) {
    const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    long long sum = 0;
    for (long long e = first[v]; e < first[v + 1]; ++e) sum += values[targets[e]];
    sums[v] = sum;
}

/// Running sums in log2(n) rounds; all blocks wait for each other between them.
__global__ void running_sums(unsigned n, double* values, double* spare) {
    for (unsigned reach = 1; reach < n; reach *= 2) {
        const unsigned threads = heddle::get_num_groups() * blockDim.x;
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
            spare[i] = i < reach ? values[i] : values[i] + values[i - reach];
        }
        heddle::global_barrier();
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
            values[i] = spare[i];
        }
        heddle::global_barrier();
    }
}
