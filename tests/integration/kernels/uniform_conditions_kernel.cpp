// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Legal kernels whose barriers and votes an optimizer would break. All are for one block of 64.
#include <heddle.h>

namespace {

struct counted_scope {
    unsigned* count;
    ~counted_scope() { atomicAdd(count, 1u); }
};

__device__ void meet_if(bool wanted) {
    if (wanted) __syncthreads();
}

__device__ __noinline__ void add_until_own_turn(unsigned n, unsigned* sum, unsigned* out) {
    for (unsigned i = 0; i < n; ++i) {
        if (threadIdx.x == i + 1) {
            out[threadIdx.x] = *sum;
            return;
        }
        __syncthreads();
        atomicAdd(sum, 1u);
        __syncthreads();
    }
    out[threadIdx.x] = *sum;
}

}  // namespace

/// The test is in a divergent arm's condition, and again around the barrier.
__global__ void same_test_twice(unsigned n, unsigned* out) {
    __shared__ unsigned word;
    if (threadIdx.x == 0 && n > 3) word = n;
    if (n > 3) __syncthreads();
    out[threadIdx.x] = n > 3 ? word : 0;
}

/// The loop's end and the vote's test are the same test.
__global__ void vote_in_all_turns_but_the_last(unsigned n, unsigned* out) {
    unsigned s = 0;
    for (unsigned i = 0; i <= n; ++i) {
        if (threadIdx.x == 0) atomicAdd(&out[i], 1u);
        if (i < n) s += __popc(__ballot_sync(0xffffffff, 1));
    }
    if (threadIdx.x == 1) out[7] = s;
}

__global__ void vote_beside_a_clock(unsigned n, unsigned* out) {
    unsigned s = 0;
    for (unsigned i = 0; i <= n; ++i) {
        if (threadIdx.x == 0) {
            atomicAdd(&out[i], 1u);
            if (blockIdx.x == 0) out[32 + i] = clock();
        }
        if (i < n) s += __popc(__ballot_sync(0xffffffff, 1));
    }
    if (threadIdx.x == 1) out[7] = s;
}

__global__ void barrier_in_all_turns_but_the_last(unsigned n, unsigned* out) {
    for (unsigned i = 0; i <= n; ++i) {
        if (threadIdx.x == 0) {
            atomicAdd(&out[i], 1u);
            if (blockIdx.x == 0) out[32 + i] = 1;
        }
        if (i < n) __syncthreads();
    }
}

/// Threads return from a loop one by one, by way of the same code as the loop's end.
__global__ void returns_one_by_one(unsigned n, unsigned* out) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (unsigned i = 0; i < n; ++i) {
        if (threadIdx.x == i + 1) {
            out[threadIdx.x] = sum;
            return;
        }
        __syncthreads();
        atomicAdd(&sum, 1u);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void returns_one_by_one_in_a_function(unsigned n, unsigned* out) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    add_until_own_turn(n, &sum, out);
}

/// Each turn's scope has a destructor, for those who return as for those who go on.
__global__ void returns_from_a_scope(unsigned n, unsigned* out) {
    for (unsigned i = 0; i < n; ++i) {
        const counted_scope scope{&out[63]};
        if (threadIdx.x == i + 1) {
            out[threadIdx.x] = i;
            return;
        }
        __syncthreads();
    }
    if (threadIdx.x < 63) out[threadIdx.x] = 100;
}

/// Behind the scope all others come to a barrier.
__global__ void returns_from_a_scope_before_a_barrier(unsigned n, unsigned* out) {
    __shared__ unsigned word;
    {
        const counted_scope scope{&out[63]};
        if (threadIdx.x == n) {
            out[n] = 7;
            return;
        }
        __syncthreads();
        if (threadIdx.x == 0) word = n;
    }
    __syncthreads();
    if (threadIdx.x < 63) out[threadIdx.x] = word;
}

/// A kernel inside an `if`, whose last warp has 16 threads.
__global__ void all_inside_an_if(unsigned n, unsigned* out) {
    __shared__ unsigned word[64];
    if (threadIdx.x < 12 * n) {
        word[threadIdx.x] = threadIdx.x;
        __syncthreads();
        out[threadIdx.x] = word[(threadIdx.x + 1) % (12 * n)];
    }
}

__global__ void barrier_in_an_inlined_function(unsigned n, unsigned* out) {
    __shared__ unsigned word;
    if (threadIdx.x == 33 && n > 3) word = n;
    meet_if(n > 3);
    out[threadIdx.x] = n > 3 ? word : 1;
}

__device__ __noinline__ void meet() {
    __syncthreads();
}
__global__ void barrier_in_a_called_function(unsigned n, unsigned* out) {
    __shared__ unsigned word;
    for (unsigned i = 0; i <= n; ++i) {
        if (threadIdx.x == 0) {
            word = i;
            if (blockIdx.x == 0) out[32 + i] = clock();
        }
        if (i < n) meet();
    }
    __syncthreads();
    out[threadIdx.x % 32] = word;
}

__global__ void short_circuits(unsigned n, unsigned* out) {
    __shared__ unsigned word;
    if (threadIdx.x == 0 || n > 9) word = n + 1;
    if (n > 9 || (n & 4) != 0) __syncthreads();
    if (threadIdx.x < 3 && (n & 4) != 0) out[threadIdx.x] = 5;
    if ((n & 4) != 0 && n < 9) __syncthreads();
    if (threadIdx.x >= 3) out[threadIdx.x] = word;
}

__global__ void barriers_in_a_switch(unsigned n, unsigned* out) {
    __shared__ unsigned word;
    for (unsigned i = 0; i < n; ++i) {
        if (threadIdx.x == i && n % 3 == 1) word = i;
        switch (n % 3) {
            case 0:
                break;
            case 1:
                __syncthreads();
                out[threadIdx.x] += word;
                __syncthreads();
                break;
            default:
                out[threadIdx.x] += __popc(__ballot_sync(0xffffffff, threadIdx.x > i));
        }
    }
}
