// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels of planted.toml that keep one part of an SMX busy, with next to no traffic with memory.
// The operations are assembly: a compiler would compute chains of them at once.
#include <heddle.h>

namespace {

constexpr unsigned chains = 4;

/// A round is 64 instructions, `chains` independent ones in turn.
template <typename operation>
__device__ void apply(unsigned rounds, unsigned* results, operation step) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x[chains];
    for (unsigned c = 0; c < chains; ++c) x[c] = 0x3f000000 + thread + c;
#pragma clang loop unroll(disable)
    for (unsigned round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 64 / chains; ++i) {
#pragma clang loop unroll(full)
            for (unsigned c = 0; c < chains; ++c) step(x[c]);
        }
    }
    results[thread] = x[0] ^ x[1] ^ x[2] ^ x[3];
}

}  // namespace

#define HEDDLE_KERNEL(name, text)                                                  \
    __global__ void name(unsigned rounds, unsigned* results) {                     \
        apply(rounds, results, [](unsigned& x) { asm volatile(text : "+r"(x)); }); \
    }
HEDDLE_KERNEL(add, "addi %0, %0, 1")
HEDDLE_KERNEL(multiply, "mul %0, %0, %0")
HEDDLE_KERNEL(divide, "divu %0, %0, %0")
HEDDLE_KERNEL(float_divide, "fdiv.s %0, %0, %0")

/// Three operands of three registers.
__global__ void fma(unsigned rounds, unsigned* results) {
    const unsigned y = rounds, z = threadIdx.x;
    apply(rounds, results, [y, z](unsigned& x) {
        asm volatile("fmadd.s %0, %0, %1, %2" : "+r"(x) : "r"(y), "r"(z));
    });
}

/// x = 1 / x.
__global__ void reciprocal(unsigned rounds, unsigned* results) {
    apply(rounds, results, [](unsigned& x) {
        asm volatile(".insn r 0x0b, %1, %2, %0, %0, x0"
                     : "+r"(x)
                     : "i"(HEDDLE_RCP_S_FUNCT3), "i"(HEDDLE_RCP_S_FUNCT7));
    });
}

/// One chain: each instruction waits for the one before it.
__global__ void chain(unsigned rounds, unsigned* results) {
    unsigned x = 0x3f000000 + threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
        for (unsigned i = 0; i < 64; ++i) asm volatile("fadd.s %0, %0, %0" : "+r"(x));
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// Nearly every third instruction jumps.
__global__ void jumps(unsigned rounds, unsigned* results) {
    unsigned x = 0;
#pragma clang loop unroll(disable)
    for (unsigned round = 0; round < rounds; ++round) {
        asm volatile(
            "addi %0, %0, 1\n\tj 1f\n1:\taddi %0, %0, 1\n\tj 2f\n2:\taddi %0, %0, 1\n\tj 3f\n3:"
            : "+r"(x));
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// 8 KB of code in a loop.
__global__ void long_code(unsigned rounds, unsigned* results) {
    unsigned a = 0, b = 1, c = 2, d = 3;
#pragma clang loop unroll(disable)
    for (unsigned round = 0; round < rounds; ++round) {
        asm volatile(
            ".rept 510\n\taddi %0, %0, 1\n\taddi %1, %1, 1\n\taddi %2, %2, 1\n\t"
            "addi %3, %3, 1\n\t.endr"
            : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

__global__ void barriers(unsigned rounds, unsigned* results) {
#pragma clang loop unroll(disable)
    for (unsigned round = 0; round < rounds; ++round) __syncthreads();
    results[blockIdx.x * blockDim.x + threadIdx.x] = rounds;
}

/// Odd and even threads take ways of equal length.
__global__ void two_ways(unsigned rounds, unsigned* results) {
    unsigned x = threadIdx.x;
#pragma clang loop unroll(disable)
    for (unsigned round = 0; round < rounds; ++round) {
        if (threadIdx.x % 2 != 0) {
            asm volatile(".rept 30\n\taddi %0, %0, 1\n\t.endr" : "+r"(x));
        } else {
            asm volatile(".rept 30\n\taddi %0, %0, 2\n\t.endr" : "+r"(x));
        }
    }
    results[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
