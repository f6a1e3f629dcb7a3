// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Kernels whose blocks end and start while they run.

struct progress {
    unsigned round;
    unsigned sum;
};

/// Rounds in which each active block adds its part of n numbers; all of them go through each round
/// together. groups[r]: how many were active in round r.
__device__ void add_rounds(progress at, unsigned n, unsigned rounds, unsigned* total,
                           unsigned* groups) {
    for (; at.round < rounds; ++at.round) {
        const unsigned active = heddle::get_num_groups();
        unsigned sum = 0;
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += active * blockDim.x) {
            sum += i + at.sum;
        }
        if (sum != 0) atomicAdd(total + at.round, sum);
        if (blockIdx.x == 0 && threadIdx.x == 0) groups[at.round] = active;
        progress next = at;
        ++next.round;
        next.sum = at.sum + 3;
        heddle::resizing_global_barrier<add_rounds>(next);
        at.sum += 3;
    }
}
__global__ void coop_rounds(unsigned n, unsigned rounds, unsigned* total, unsigned* groups) {
    add_rounds({0, 1}, n, rounds, total, groups);
}

/// Work stealing: blocks take numbers below n until there are none. visits[i] counts how often i
/// was taken, started[b] how often block b began.
struct nothing {
    unsigned unused;
};
__device__ void steal(nothing, unsigned n, unsigned* next, unsigned* visits, unsigned* started) {
    __shared__ unsigned mine;
    if (threadIdx.x == 0) atomicAdd(started + blockIdx.x, 1u);
    for (;;) {
        heddle::offer_kill();
        heddle::request_fork<steal>(nothing{0});
        if (threadIdx.x == 0) mine = atomicAdd(next, 1u);
        __syncthreads();
        const unsigned i = mine;
        __syncthreads();
        if (i >= n) return;
        if (threadIdx.x == 0) atomicAdd(visits + i, 1u);
    }
}
__global__ void coop_steal(unsigned n, unsigned* next, unsigned* visits, unsigned* started) {
    steal({0}, n, next, visits, started);
}

/// A block after the other holds the lock, round and round.
__global__ void coop_hand_on(unsigned rounds, unsigned* turn, unsigned* count) {
    if (threadIdx.x != 0) return;
    const unsigned active = heddle::get_num_groups();
    for (unsigned r = 0; r < rounds; ++r) {
        while (__ldcg(turn) % active != blockIdx.x) {
        }
        *count = __ldcg(count) + 1;
        __threadfence();
        atomicAdd(turn, 1u);
    }
}

/// Stores before the barrier are seen after it.
__global__ void coop_exchange(unsigned rounds, unsigned* values, unsigned* wrong) {
    const unsigned active = heddle::get_num_groups();
    for (unsigned r = 1; r <= rounds; ++r) {
        values[blockIdx.x * blockDim.x + threadIdx.x] = r * 1000 + blockIdx.x;
        heddle::global_barrier();
        const unsigned other = (blockIdx.x + r) % active;
        if (values[other * blockDim.x + threadIdx.x] != r * 1000 + other) atomicAdd(wrong, 1u);
        heddle::global_barrier();
    }
}

/// The task that waits for room: each block adds 1.
__global__ void coop_task(unsigned* done) {
    __shared__ unsigned room[64];
    room[threadIdx.x % 64] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(done, 1u);
}

// What is illegal.

__global__ void coop_divergent(unsigned* out) {
    if (threadIdx.x < 3) heddle::offer_kill();
    out[threadIdx.x] = 1;
    __syncthreads();
}
__global__ void coop_split(unsigned* out) {
    if (threadIdx.x < 64) {
        heddle::offer_kill();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}
__device__ void nowhere(nothing, unsigned* out) {
    out[0] = 2;
}
__global__ void coop_headless(unsigned* out) {
    if (threadIdx.x == 0) heddle::exit();
    heddle::request_fork<nowhere>(nothing{0});
    out[threadIdx.x] = 1;
}
__global__ void coop_mixed(unsigned* out) {
    if (blockIdx.x == 0) {
        heddle::global_barrier();
    } else {
        heddle::resizing_global_barrier<nowhere>(nothing{0});
    }
    out[threadIdx.x] = 1;
}
