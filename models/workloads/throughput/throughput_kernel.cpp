// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

#include "models/workloads/microbenchmark_kernel.h"

// Throughput microbenchmarks: one kind of operation, again and again. The operations are assembly,
// because a compiler would compute a chain of them at once. The first of two passes brings the
// instructions into the cache, the second is measured.

constexpr unsigned passes = 2;

// Two operands take longer to read if they lie in the same bank of the register file, which they do
// if their numbers are equal modulo the number of banks. So y is in a2 (x12) wherever an operation
// reads it, and no x lies in a6 or t3 (x16, x28).
#define HEDDLE_NOT_IN_BANK "a6", "t3"
#define HEDDLE_IN_A2(name, value)                                                             \
    _Pragma("clang diagnostic push")                                                          \
        _Pragma("clang diagnostic ignored \"-Wregister\"") register unsigned name asm("a2") = \
            value;                                                                            \
    _Pragma("clang diagnostic pop")

/// x = x OPERATION y of each chain. %0 is x, %1 is y; floats lie in the same registers.
#define HEDDLE_OPERATION(name, text)                                                   \
    struct name##_operation {                                                          \
        static constexpr unsigned instructions = 1;                                    \
        template <unsigned chains>                                                     \
        static __forceinline__ void apply(unsigned (&x)[chains], unsigned operand) {   \
            HEDDLE_IN_A2(y, operand)                                                   \
            _Pragma("clang loop unroll(full)") for (unsigned c = 0; c < chains; ++c) { \
                asm volatile(text : "+r"(x[c]) : "r"(y) : HEDDLE_NOT_IN_BANK);         \
            }                                                                          \
        }                                                                              \
    };
HEDDLE_OPERATION(add, "add %0, %0, %1")
HEDDLE_OPERATION(multiply, "mul %0, %0, %1")
HEDDLE_OPERATION(divide, "div %0, %1, %0")
HEDDLE_OPERATION(divide_unsigned, "divu %0, %1, %0")
HEDDLE_OPERATION(float_add, "fadd.s %0, %0, %1")
HEDDLE_OPERATION(fma, "fmadd.s %0, %0, %0, %1")
HEDDLE_OPERATION(float_divide, "fdiv.s %0, %1, %0")

/// x = 1 / x.
struct special_operation {
    static constexpr unsigned instructions = 1;
    template <unsigned chains>
    static __forceinline__ void apply(unsigned (&x)[chains], unsigned) {
#pragma clang loop unroll(full)
        for (unsigned c = 0; c < chains; ++c) {
            asm volatile(".insn r 0x0b, %1, %2, %0, %0, x0"
                         : "+r"(x[c])
                         : "i"(HEDDLE_RCP_S_FUNCT3), "i"(HEDDLE_RCP_S_FUNCT7));
        }
    }
};

/// x = x x + y: the products of all chains, then the sums, as a compiler orders them.
struct multiply_add_operation {
    static constexpr unsigned instructions = 2;
    template <unsigned chains>
    static __forceinline__ void apply(unsigned (&x)[chains], unsigned operand) {
        HEDDLE_IN_A2(y, operand)
        unsigned product[chains];
#pragma clang loop unroll(full)
        for (unsigned c = 0; c < chains; ++c) {
            asm volatile("mul %0, %1, %1" : "=r"(product[c]) : "r"(x[c]));
        }
#pragma clang loop unroll(full)
        for (unsigned c = 0; c < chains; ++c) {
            asm volatile("add %0, %1, %2" : "=r"(x[c]) : "r"(product[c]), "r"(y));
        }
    }
};

/// Each thread applies the operation to `chains` values of its own in turn, with 256 instructions a
/// round. Chain c of thread t starts from starts[c * threads + t] and ends in results[...].
template <unsigned chains, typename operation>
__device__ void apply(unsigned rounds, const unsigned* starts, const unsigned* operands,
                      unsigned* results, unsigned* clocks) {
    unsigned x[chains];
    for (unsigned c = 0; c < chains; ++c) x[c] = starts[c * blockDim.x + threadIdx.x];
    unsigned y = operands[threadIdx.x];
    unsigned begin = 0, end = 0;
#pragma clang loop unroll(disable)
    for (unsigned pass = 0; pass < passes; ++pass) {
        for (unsigned c = 0; c < chains; ++c) arrived(x[c]);
        arrived(y);
        __syncthreads();
        begin = clock();
#pragma clang loop unroll(disable)
        for (unsigned round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
            for (unsigned i = 0; i < 256 / (operation::instructions * chains); ++i) {
                operation::apply(x, y);
            }
        }
        for (unsigned c = 0; c < chains; ++c) arrived(x[c]);
        end = clock();
    }
    store_clocks(begin, end, clocks);
    for (unsigned c = 0; c < chains; ++c) results[c * blockDim.x + threadIdx.x] = x[c];
}

#define HEDDLE_APPLY_KERNELS(name)                                                  \
    __global__ void name##_dependent(unsigned rounds, const unsigned* starts,       \
                                     const unsigned* operands, unsigned* results,   \
                                     unsigned* clocks) {                            \
        apply<1, name##_operation>(rounds, starts, operands, results, clocks);      \
    }                                                                               \
    __global__ void name##_independent(unsigned rounds, const unsigned* starts,     \
                                       const unsigned* operands, unsigned* results, \
                                       unsigned* clocks) {                          \
        apply<8, name##_operation>(rounds, starts, operands, results, clocks);      \
    }
HEDDLE_APPLY_KERNELS(add)
HEDDLE_APPLY_KERNELS(multiply)
HEDDLE_APPLY_KERNELS(multiply_add)
HEDDLE_APPLY_KERNELS(divide)
HEDDLE_APPLY_KERNELS(divide_unsigned)
HEDDLE_APPLY_KERNELS(float_add)
HEDDLE_APPLY_KERNELS(fma)
HEDDLE_APPLY_KERNELS(special)
HEDDLE_APPLY_KERNELS(float_divide)

constexpr unsigned accesses = 16;  // of a round, without waiting for one of them

/// Every thread reads 16 words, `distance` words apart, `rounds` times. results[t] = the sum of
/// thread t's last round.
template <unsigned distance>
__forceinline__ void read_again(const unsigned* mine, unsigned rounds, unsigned* results,
                                unsigned* clocks) {
    unsigned sum = 0, begin = 0, end = 0;
#pragma clang loop unroll(disable)
    for (unsigned pass = 0; pass < passes; ++pass) {
        __syncthreads();
        begin = clock();
#pragma clang loop unroll(disable)
        for (unsigned round = 0; round < rounds; ++round) {
            unsigned v[accesses];
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < accesses; ++k) v[k] = mine[k * distance];
            asm volatile("" ::: "memory");  // each round reads
            sum = 0;
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < accesses; ++k) sum += v[k];
        }
        arrived(sum);
        end = clock();
    }
    store_clocks(begin, end, clocks);
    results[threadIdx.x] = sum;
}

/// Every warp reads the same 16 words for each of 64 lanes: L1 has them if it keeps global memory.
__global__ void l1_read(const unsigned* words, unsigned rounds, unsigned* results,
                        unsigned* clocks) {
    read_again<64>(words + heddle::lane_id(), rounds, results, clocks);
}

/// Every warp reads word lane * `ways` of shared memory, whose word i is i, and the 15 words
/// behind it.
__global__ void shared_read(unsigned ways, unsigned rounds, unsigned* results, unsigned* clocks) {
    unsigned* const words = heddle::dynamic_shared<unsigned>();
    for (unsigned i = threadIdx.x; i < warpSize * ways + accesses; i += blockDim.x) words[i] = i;
    read_again<1>(words + heddle::lane_id() * ways, rounds, results, clocks);
}

/// The words of shared_read are written, each with its index. results[t] = the thread's first word.
__global__ void shared_write(unsigned ways, unsigned rounds, unsigned* results, unsigned* clocks) {
    const unsigned first = heddle::lane_id() * ways;
    unsigned* const mine = heddle::dynamic_shared<unsigned>() + first;
    unsigned begin = 0, end = 0;
#pragma clang loop unroll(disable)
    for (unsigned pass = 0; pass < passes; ++pass) {
        __syncthreads();
        begin = clock();
#pragma clang loop unroll(disable)
        for (unsigned round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < accesses; ++k) mine[k] = first + k;
            asm volatile("" ::: "memory");  // each round writes
        }
        __threadfence();
        end = clock();
    }
    __syncthreads();
    store_clocks(begin, end, clocks);
    results[threadIdx.x] = mine[0];
}

/// Each thread adds 1 to counters[i * spacing], 16 times a round, where i is the thread's index
/// modulo `different`.
__device__ void count(unsigned thread, unsigned different, unsigned spacing, unsigned rounds,
                      unsigned* counters, unsigned* clocks) {
    unsigned* const mine = counters + thread % different * spacing;
    unsigned begin = 0;
#pragma clang loop unroll(disable)
    for (unsigned pass = 0; pass < passes; ++pass) {
        __syncthreads();
        begin = clock();
#pragma clang loop unroll(disable)
        for (unsigned round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
            for (unsigned k = 0; k < accesses; ++k) atomicAdd(mine, 1u);
        }
        __threadfence();
    }
    store_clocks(begin, clock(), clocks);
}

__global__ void global_atomics(unsigned different, unsigned spacing, unsigned rounds,
                               unsigned* counters, unsigned* clocks) {
    count(blockIdx.x * blockDim.x + threadIdx.x, different, spacing, rounds, counters, clocks);
}

/// As shared_read, but with additions to one word of each lane. results[t] = thread t's counter.
__global__ void shared_atomics(unsigned ways, unsigned rounds, unsigned* results,
                               unsigned* clocks) {
    unsigned* const counters = heddle::dynamic_shared<unsigned>();
    for (unsigned i = threadIdx.x; i < warpSize * ways; i += blockDim.x) counters[i] = 0;
    count(heddle::lane_id(), warpSize, ways, rounds, counters, clocks);
    __syncthreads();
    results[threadIdx.x] = counters[heddle::lane_id() * ways];
}
