// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels for the testbench of the SMX: what the other test programs leave out.
#include <heddle.h>

namespace {
__device__ unsigned thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
}  // namespace

/// Every class of arithmetic, results that depend on the rounding of each step.
__global__ void arithmetic(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i >= n) return;
    const unsigned a = in[i], b = in[(i + 1) % n] | 1;
    const float x = static_cast<float>(a) * 0x1p-20f, y = static_cast<float>(b) * 0x1p-12f;
    unsigned result = a * b + a / b + a % b;
    result ^= static_cast<unsigned>(static_cast<int>(a) / static_cast<int>(b));
    const float z = fmaf(x, y, x / y) + sqrtf(y) + __expf(x * 0x1p-12f) + __sinf(x);
    result += static_cast<unsigned>(__float_as_int(z)) + __popc(a) + __clz(b);
    out[i] = result;
}

/// Votes and shuffles over every warp, some with lanes missing.
__global__ void exchanges(unsigned n, const unsigned* in, unsigned* out) {
    const unsigned i = thread_index();
    if (i >= n) return;
    unsigned v = in[i];
    v += __shfl_xor_sync(~0u, v, 5);
    v ^= __ballot_sync(~0u, v & 1);
    if (v & 2) v += 100 * __any_sync(~0u, v & 64) + __shfl_up_sync(~0u, v, 1);
    v += __shfl_down_sync(~0u, v, 3) + __all_sync(~0u, v != 0);
    out[i] = v;
}

/// Atomics on shared memory by all threads, barriers between the phases.
__global__ void shared_counts(unsigned n, const unsigned* in, unsigned* out) {
    __shared__ unsigned counts[64];
    for (unsigned k = threadIdx.x; k < 64; k += blockDim.x) counts[k] = 0;
    __syncthreads();
    const unsigned i = thread_index();
    if (i < n) atomicAdd(&counts[in[i] % 64], 1u);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 64; k += blockDim.x) atomicAdd(&out[k], counts[k]);
}

/// Block b waits for block b + 1, then reads what that one has written.
__global__ void fenced_messages(unsigned* values, unsigned* flags) {
    __shared__ unsigned seen;
    const unsigned next = blockIdx.x + 1;
    unsigned before = 1;
    if (next < gridDim.x) {
        if (threadIdx.x == 0) {
            while (__ldcg(&flags[next]) == 0) {
            }
            __threadfence();
            seen = values[next * blockDim.x];
        }
        __syncthreads();
        before = seen;
    }
    values[thread_index()] = before + 1 + threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&flags[blockIdx.x], 1u);
}

/// A chain of barriers that every warp reaches at another time.
__global__ void uneven_barriers(unsigned* out) {
    __shared__ unsigned turn[8];
    for (unsigned round = 0; round < 8; ++round) {
        unsigned work = threadIdx.x / 32 * round;
        while (work-- != 0) __asm__ __volatile__("" ::: "memory");
        if (threadIdx.x == round * 17 % blockDim.x) turn[round] = round ? turn[round - 1] + 3 : 1;
        __syncthreads();
    }
    out[thread_index()] = turn[7];
}

/// Reads a value that somebody else changes once flags[0] is set, before and after a fence.
__global__ void stale_line(const unsigned* value, unsigned* flags, unsigned* out) {
    const volatile unsigned* const plain = value;
    out[0] = *plain;
    atomicExch(&flags[0], 1u);
    while (__ldcg(&flags[1]) == 0) {
    }
    out[1] = *plain;
    __threadfence();
    out[2] = *plain;
}

/// Reads a value and tells that it has.
__global__ void read_value(const unsigned* value, unsigned* flag, unsigned* out) {
    *out = *value;
    atomicExch(flag, 1u);
}

/// Sequences whose issue times are known, between markers (lui x0): the test reads the times.
__global__ void timing(unsigned* out) {
#pragma clang loop unroll(disable)
    for (unsigned pass = 0; pass < 3; ++pass) {
        __asm__ __volatile__(
            ".balign 256\n"
            "li t0, 3\n li t1, 5\n li s1, 7\n li t2, 0\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00001037\n"  // marker 1: a dependent instruction
            "add t2, t0, t1\n"
            "add t3, t2, t1\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00002037\n"  // marker 2: independent ones
            "add t2, t0, t1\n"
            "add t3, t0, t1\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00003037\n"  // marker 3: the same destination
            "mul t2, t0, t1\n"
            "add t2, t0, t1\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00004037\n"  // marker 4: initiation interval
            "divu t2, t0, t1\n"
            "divu t3, t0, t1\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00005037\n"  // marker 5: t0 and s1 lie in one of four banks
            "add t2, t0, s1\n"
            "add t3, t2, t1\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00006037\n"  // marker 6: a branch that is taken
            "beq t0, t0, 1f\n"
            "nop\n"
            "1: nop\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00007037\n"  // marker 7: a branch that is not
            "bne t0, t0, 1b\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00008037\n"  // marker 8: a fence behind a store
            "sw t0, 0(%0)\n"
            "fence\n"
            "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
            ".word 0x00009037\n"  // marker 9: a barrier
            ".word 0x0000000b\n"
            "nop\n" ::"r"(out + 32)
            : "t0", "t1", "t2", "t3", "s1", "memory");
    }
    out[threadIdx.x] = 1;
}

/// An atomic without a result, and additions whose results come in every cycle until it is back.
__global__ void atomic_beside_additions(unsigned* out) {
#pragma clang loop unroll(disable)
    for (unsigned pass = 0; pass < 3; ++pass) {
        __asm__ __volatile__(
            "li t0, 3\n li t1, 5\n"
            "amoadd.w x0, t0, (%0)\n"
            ".rept 10\n"
            ".irp result, t2, t3, t4, t5, t6, s2, s3, s4, s5, s6, s7, s8\n"
            "add \\result, t0, t1\n"
            ".endr\n"
            ".endr\n" ::"r"(out)
            : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
              "memory");
    }
}

/// The first warp waits at a fence for a store; the second one, if it is there, waits for loads of
/// `chain`, a word with its own address, before, meanwhile and after.
__global__ void fence_beside_loads(unsigned* out, unsigned* chain) {
    if (threadIdx.x < 32) {
        __asm__ __volatile__(
            "li t0, 1\n"
            ".rept 30\n"
            "add t0, t0, t0\n"
            ".endr\n"
            "sw t0, 0(%0)\n"
            "fence\n" ::"r"(out)
            : "t0", "memory");
    } else {
        __asm__ __volatile__(
            "lw t0, 0(%0)\n lw t0, 0(t0)\n lw t0, 0(t0)\n add t0, t0, t0\n" ::"r"(chain)
            : "t0", "memory");
    }
}
