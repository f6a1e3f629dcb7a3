// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Loads of read-only data by different numbers of lanes, and in different ways.
#include <heddle.h>

#define TABLE_4(n) n, n + 1, n + 2, n + 3
#define TABLE_16(n) TABLE_4(n), TABLE_4(n + 4), TABLE_4(n + 8), TABLE_4(n + 12)
#define TABLE_64(n) TABLE_16(n), TABLE_16(n + 16), TABLE_16(n + 32), TABLE_16(n + 48)
#define TABLE_256(n) TABLE_64(n), TABLE_64(n + 64), TABLE_64(n + 128), TABLE_64(n + 192)
#define TABLE_1024(n) TABLE_256(n), TABLE_256(n + 256), TABLE_256(n + 512), TABLE_256(n + 768)

/// Too large for the constant cache, as an array of a sparse matrix is.
extern "C" const unsigned table[2048] = {TABLE_1024(0), TABLE_1024(1024)};
__constant__ unsigned variable[64] = {TABLE_64(0)};

/// Rows of a sparse matrix: the first `lanes` threads go on where the others have ended.
__global__ void rows(unsigned lanes, unsigned turns, unsigned* out) {
    unsigned sum = 0;
    if (threadIdx.x < lanes) {
        for (unsigned i = 0; i < turns; ++i) sum += table[(i * 32 + threadIdx.x * 8) & 2047];
    }
    out[threadIdx.x] = sum;
}

/// Each lane its own element of a variable in constant memory.
__global__ void gather(unsigned turns, unsigned stride, unsigned* out) {
    unsigned sum = 0;
    for (unsigned i = 0; i < turns; ++i) sum += variable[(i + threadIdx.x * stride) & 63];
    out[threadIdx.x] = sum;
}

/// The same data by way of a pointer that memory hands on, and by an index that leaves them.
__global__ void by_pointer(const unsigned** pointer, unsigned* out) {
    *pointer = variable;
    __threadfence();
    const unsigned* const data = *const_cast<const unsigned* volatile*>(pointer);
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void leaves(const unsigned* elsewhere, unsigned* out) {
    const unsigned from = reinterpret_cast<unsigned>(elsewhere + threadIdx.x);
    unsigned distance = from - reinterpret_cast<unsigned>(&variable[0]);
    if (threadIdx.x % 2 == 0) distance = threadIdx.x;
    unsigned value;
    asm volatile("lui %0, %%hi(%2)\n addi %0, %0, %%lo(%2)\n add %0, %0, %1\n lw %0, 0(%0)"
                 : "=&r"(value)
                 : "r"(distance & ~3u), "i"(variable)
                 : "memory");
    out[threadIdx.x] = value;
}
