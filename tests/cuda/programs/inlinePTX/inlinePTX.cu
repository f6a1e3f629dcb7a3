// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A stream compaction that takes its lanes and bits by PTX in asm statements, as libraries do.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                    \
    do {                                                                               \
        const cudaError_t error = (call);                                              \
        if (error != cudaSuccess) {                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                        \
        }                                                                              \
    } while (0)

__device__ __forceinline__ unsigned laneId() {
    unsigned id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}
__device__ __forceinline__ unsigned lanesBelow() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
__device__ __forceinline__ unsigned bits(unsigned x, unsigned first, unsigned count) {
    unsigned field;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(x), "r"(first), "r"(count));
    return field;
}
template <typename T>
__device__ __forceinline__ T loadOnce(const T *at);
template <>
__device__ __forceinline__ uint2 loadOnce(const uint2 *at) {
    uint2 value;
    asm volatile("ld.global.cs.v2.u32 {%0, %1}, [%2];"
                 : "=r"(value.x), "=r"(value.y)
                 : "l"(at)
                 : "memory");
    return value;
}
__device__ __forceinline__ long long now() {
    long long time;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(time));
    return time;
}

__global__ void keepOdd(const uint2 *in, unsigned *out, unsigned *count, long long *cycles, int n) {
    const long long begin = now();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint2 pair = i < n ? loadOnce(in + i) : make_uint2(0, 0);
    const unsigned value = bits(pair.x, 4, 12) + pair.y;
    unsigned votes, first = 0;
    asm volatile(
        "{\n\t"
        ".reg .pred odd;\n\t"
        ".reg .u32 low;\n\t"
        "and.b32 low, %1, 1;\n\t"
        "setp.ne.u32 odd, low, 0;\n\t"
        "vote.sync.ballot.b32 %0, odd, 0xffffffff;\n\t"
        "}"
        : "=r"(votes)
        : "r"(value));
    const unsigned leader = __ffs(votes) - 1;
    if (votes != 0 && laneId() == leader) {
        asm volatile("atom.global.add.u32 %0, [%1], %2;"
                     : "=r"(first)
                     : "l"(count), "r"(__popc(votes))
                     : "memory");
    }
    asm volatile("shfl.sync.idx.b32 %0, %0, %1, 0x1f, 0xffffffff;" : "+r"(first) : "r"(leader & 31));
    if ((value & 1) != 0) out[first + __popc(votes & lanesBelow())] = value;
    asm volatile("membar.gl;" ::: "memory");
    if (i == 0) *cycles = now() - begin;
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 512;
    uint2 *pairs = (uint2 *)malloc(n * sizeof(uint2)), *in;
    unsigned *out, *count, found, sum = 0, exact = 0, wanted = 0;
    long long *cycles, taken;
    for (int i = 0; i < n; ++i) {
        pairs[i] = make_uint2(i * 2654435761u, i);
        const unsigned value = (pairs[i].x >> 4 & 0xfff) + pairs[i].y;
        if (value & 1) ++wanted, exact += value;
    }
    CHECK(cudaMalloc(&in, n * sizeof(uint2)));
    CHECK(cudaMalloc(&out, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&count, sizeof(unsigned)));
    CHECK(cudaMalloc(&cycles, sizeof(long long)));
    CHECK(cudaMemset(count, 0, sizeof(unsigned)));
    CHECK(cudaMemcpy(in, pairs, n * sizeof(uint2), cudaMemcpyHostToDevice));
    keepOdd<<<(n + 127) / 128, 128>>>(in, out, count, cycles, n);
    CHECK(cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost));
    unsigned *values = (unsigned *)malloc(n * sizeof(unsigned));
    CHECK(cudaMemcpy(values, out, found * sizeof(unsigned), cudaMemcpyDeviceToHost));
    bool all_odd = found <= (unsigned)n;
    for (unsigned i = 0; i < found; ++i) sum += values[i], all_odd = all_odd && (values[i] & 1) != 0;
    const bool passed = all_odd && found == wanted && sum == exact && taken > 0;
    printf("%u of %d kept\n%s\n", found, n, passed ? "PASSED" : "FAILED");
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
