// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Kernels of tests/hw/top/suspended_block_test.cpp: blocks that wait for their children.

/// Each block waits for the sum that its children leave, and these for those of theirs.
__global__ void wait_for_tree(unsigned* sums, unsigned depth, unsigned fan) {
    if (depth != 0 && threadIdx.x < fan) {
        heddle::launch(wait_for_tree, {dim3(1), dim3(blockDim.x)}, heddle::create_stream(), sums,
                       depth - 1, fan);
    }
    __syncthreads();
    const unsigned before = __ldcg(&sums[depth]);
    heddle::device_synchronize();
    if (threadIdx.x != 0) return;
    // A child adds when it ends: this block's have done so, others' may have.
    const bool seen = depth == 0 || __ldcg(&sums[depth - 1]) >= fan;
    atomicAdd(&sums[depth], seen && before != ~0U ? 1U : 1U << 20);
}

/// A chain of launches by the first thread of each: what a level leaves is one more than what the
/// level below has left.
__global__ void wait_for_chain(unsigned* counts, unsigned level, unsigned* errors) {
    if (threadIdx.x == 0) {
        errors[level] =
            heddle::launch(wait_for_chain, {dim3(1), dim3(40)}, 0U, counts, level + 1, errors);
    }
    heddle::device_synchronize();
    if (threadIdx.x == 0) counts[level] = __ldcg(&counts[level + 1]) + 1;
}

__global__ void wait_for_nothing(unsigned* out) {
    heddle::device_synchronize();
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

/// Slow, so that its parent leaves.
__global__ void count_slowly(unsigned* count, unsigned rounds) {
    unsigned value = threadIdx.x;
    for (unsigned i = 0; i < rounds; ++i) value = __ldcg(&count[1]) + value;
    atomicAdd(count, value == ~0U ? 2U : 1U);
}

/// All that a block has is there when it comes back: registers, private memory, shared memory,
/// lanes and warps that have ended, a divergent wait, warps that wait at the barrier.
__global__ void keep_state(unsigned* out, unsigned* counts) {
    __shared__ unsigned table[160];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * blockDim.x + t;
    table[t] = 3 * t + blockIdx.x;
    unsigned own[12];
    for (unsigned k = 0; k < 12; ++k) own[(k * 5 + t) % 12] = k * 100 + t;
    if (t % 7 == 3 || t / 32 == 2) return;
    unsigned* const count = counts + 2 * blockIdx.x;
    if (t == 0) {
        heddle::launch(count_slowly, {dim3(3), dim3(32)}, heddle::create_stream(), count, 40U);
    }
    __syncthreads();  // a wait is for launches that have been made
    unsigned found = 0;
    // Warp 0 waits as a whole, half of warp 1 and all of warp 4 do; warp 3 goes to the barrier.
    if (t < 32 || t >= 128) {
        heddle::device_synchronize();
        found = __ldcg(count);
    } else if (t < 64 && t % 2 == 1) {
        heddle::device_synchronize();
        found = __ldcg(count) + 1000;
    }
    __syncthreads();
    found += __ldcg(count);
    unsigned sum = 0;
    for (unsigned k = 0; k < 12; ++k) sum = sum * 31 + own[(k + i) % 12];
    out[i] = sum + table[(t + 1) % blockDim.x] + found;
}

/// Two rounds of children, of groups in the second.
__global__ void wait_twice(unsigned* out, unsigned* counts) {
    unsigned* const count = counts + 2 * blockIdx.x;
    if (threadIdx.x == 0) {
        heddle::launch(count_slowly, {dim3(2), dim3(32)}, 0U, count, 10U);
    }
    __syncthreads();
    heddle::device_synchronize();
    const unsigned first = __ldcg(count);
    if (threadIdx.x < 4) {
        heddle::launch_group(count_slowly, {dim3(1), dim3(32)}, count, 10U);
    }
    __syncthreads();
    heddle::device_synchronize();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1000 * first + __ldcg(count);
}

__global__ void store_to_nowhere() {
    *reinterpret_cast<volatile unsigned*>(16) = 1;
}
__global__ void wait_for_fault(unsigned* out) {
    if (threadIdx.x == 0) {
        heddle::launch(store_to_nowhere, {dim3(1), dim3(1)}, 0U);
    }
    heddle::device_synchronize();
    out[threadIdx.x] = 1;
}

__global__ void spin(volatile unsigned* out) {
    while (*out == 0) {
    }
}
__global__ void wait_for_ever(unsigned* out) {
    if (threadIdx.x == 0) heddle::launch(spin, {dim3(1), dim3(1)}, 0U, out);
    heddle::device_synchronize();
    out[1] = 1;
}

/// A group that launches a slow kernel and ends.
__global__ void launch_and_end(unsigned* count) {
    heddle::launch(count_slowly, {dim3(1), dim3(32)}, heddle::create_stream(), count, 60U);
}
__global__ void wait_for_grandchildren(unsigned* out, unsigned* counts) {
    unsigned* const count = counts + 2 * blockIdx.x;
    if (threadIdx.x < 3) heddle::launch_group(launch_and_end, {dim3(1), dim3(1)}, count);
    heddle::device_synchronize();
    out[blockIdx.x * blockDim.x + threadIdx.x] = __ldcg(count);
}

struct meeting {
    unsigned round;
};
/// In each round the active blocks launch a child or a group of 32 threads for each item, wait for
/// them, meet, and see what all children have left. The results do not depend on who is active.
__device__ void meet(meeting at, unsigned rounds, unsigned items, unsigned groups, unsigned* counts,
                     unsigned* out) {
    while (at.round < rounds) {
        if (threadIdx.x == 0) {
            const unsigned active = heddle::get_num_groups();
            for (unsigned i = blockIdx.x; i < items; i += active) {
                if (groups != 0) {
                    heddle::launch_group(count_slowly, {dim3(1), dim3(32)}, counts + 2 * i, 10U);
                } else {
                    heddle::launch(count_slowly, {dim3(1), dim3(32)}, heddle::create_stream(),
                                   counts + 2 * i, 10U);
                }
            }
        }
        __syncthreads();
        heddle::device_synchronize();
        ++at.round;
        heddle::resizing_global_barrier<meet>(at);
        if (threadIdx.x == 0) {
            unsigned sum = 0;
            for (unsigned i = 0; i < items; ++i) sum += __ldcg(&counts[2 * i]);
            for (unsigned i = blockIdx.x; i < items; i += heddle::get_num_groups()) {
                atomicAdd(&out[i], sum);
            }
        }
        heddle::global_barrier();
    }
}
__global__ void meet_after_children(unsigned rounds, unsigned items, unsigned groups,
                                    unsigned* counts, unsigned* out) {
    meet({0}, rounds, items, groups, counts, out);
}
