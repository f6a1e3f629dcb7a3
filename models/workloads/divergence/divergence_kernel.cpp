// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Every way in which the threads of a warp can part and meet again. Each kernel computes
// out[i] = f(in[i]) for i in [0, n) with one thread an element; f is different enough from thread
// to thread that nearly every warp diverges.

namespace {

__device__ unsigned thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Steps of the Collatz sequence from v to 1, at most 1000.
__device__ __noinline__ unsigned collatz_steps(unsigned v) {
    unsigned steps = 0;
    while (v > 1 && steps < 1000) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++steps;
    }
    return steps;
}

/// The largest r with r * r <= v, bit by bit.
__device__ __noinline__ unsigned square_root(unsigned v) {
    unsigned root = 0;
    for (unsigned bit = 1u << 15; bit != 0; bit /= 2) {
        const unsigned trial = root + bit;
        if (trial * trial <= v) root = trial;
    }
    return root;
}

__device__ __noinline__ unsigned digit_sum(unsigned v) {
    unsigned sum = 0;
    for (; v != 0; v /= 10) sum += v % 10;
    return sum;
}

__device__ __noinline__ unsigned fibonacci(unsigned v) {
    return v < 2 ? v : fibonacci(v - 1) + fibonacci(v - 2);
}

}  // namespace

/// Branches three deep that join level by level. The gathers keep the compiler from turning the
/// arms into selects.
__global__ void nested_branches(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i >= n) return;

    unsigned v = in[i];
    if (v & 1) {
        v += in[v % n];
        if (v & 2) {
            v ^= in[(v >> 3) % n];
            if (v & 4) v += 7 * in[(v >> 5) % n];
        } else {
            v -= in[(v >> 7) % n];
        }
        v = v * 3 + 1;
    } else if (v & 8) {
        v = in[(v >> 1) % n];
    } else {
        for (unsigned k = 0; k < 3; ++k) v += in[(v + k) % n];
    }
    out[i] = v;
}

/// A loop whose trip count differs from thread to thread, with a branch inside.
__global__ void loop_trips(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i < n) out[i] = collatz_steps(in[i] % 10000);
}

/// Direct calls from both arms of a branch; digit_sum is called from either.
__global__ void direct_calls(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i >= n) return;

    const unsigned v = in[i];
    if (v % 3 == 0)
        out[i] = square_root(v) + digit_sum(v);
    else
        out[i] = digit_sum(collatz_steps(v % 10000));
}

namespace {

// The Collatz steps again, as two functions that jump into each other.
__device__ unsigned odd_step(unsigned v, unsigned steps);

__device__ __noinline__ unsigned even_step(unsigned v, unsigned steps) {
    if (v <= 1 || steps >= 1000) return steps;
    if (v % 2 != 0) [[clang::musttail]]
        return odd_step(v, steps);
    [[clang::musttail]] return even_step(v / 2, steps + 1);
}

__device__ __noinline__ unsigned odd_step(unsigned v, unsigned steps) {
    [[clang::musttail]] return even_step(3 * v + 1, steps + 1);
}

}  // namespace

/// Tail calls: jumps to the entry of another function, which returns to the first caller.
__global__ void tail_calls(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i < n) out[i] = even_step(in[i] % 10000, 0);
}

/// Recursion whose depth differs from thread to thread; the frames are in private memory.
__global__ void recursion(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i < n) out[i] = fibonacci(in[i] % 11);
}

namespace {

using unary_function = unsigned (*)(unsigned);
__constant__ unary_function functions[] = {collatz_steps, square_root, digit_sum};

}  // namespace

/// Calls through a table of function pointers: a warp calls up to three functions at once.
__global__ void indirect_calls(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i >= n) return;

    const unsigned v = in[i] % 10000;
    out[i] = functions[v % 3](v);
}

/// Threads leave the kernel from several places, some inside a loop, some for good by exit(): the
/// smallest divisor of v that is at least 2, or v itself if there is none.
__global__ void early_exits(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i >= n) return;

    const unsigned v = in[i] % 10000;
    out[i] = v;
    if (v < 4) return;
    if (v % 2 == 0) {
        out[i] = 2;
        heddle::exit();
    }
    for (unsigned divisor = 3; divisor * divisor <= v; divisor += 2) {
        if (v % divisor == 0) {
            out[i] = divisor;
            return;
        }
    }
}
