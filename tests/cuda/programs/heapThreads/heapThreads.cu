// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Many threads take blocks from the heap and give them back at the same time. A block that two have has not what one of
// them wrote there.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        const cudaError_t error = (call);                                                  \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void takeAndGive(int rounds, unsigned *wrong, unsigned *without) {
    const unsigned self = blockIdx.x * blockDim.x + threadIdx.x + 1;
    for (int round = 0; round < rounds; ++round) {
        const int words = 2 + (threadIdx.x + round) % 2 * 9;
        volatile unsigned *const first = (unsigned *)malloc(words * sizeof(unsigned));
        volatile unsigned *const second = (unsigned *)malloc(8);
        if (first == 0 || second == 0) {
            atomicAdd(without, 1);
        } else {
            for (int i = 0; i < words; ++i) first[i] = self * 64 + round;
            second[0] = second[1] = ~self;
            __threadfence();
            for (int i = 0; i < words; ++i)
                if (first[i] != self * 64 + round) atomicAdd(wrong, 1);
            if (second[0] != ~self || second[1] != ~self) atomicAdd(wrong, 1);
        }
        free((void *)first);
        free((void *)second);
    }
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 3;
    unsigned *counts, found[2];
    CHECK(cudaMalloc(&counts, sizeof found));
    CHECK(cudaMemset(counts, 0, sizeof found));
    takeAndGive<<<8, 64>>>(rounds, counts, counts + 1);
    CHECK(cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost));
    const bool passed = found[0] == 0 && found[1] == 0;
    printf("%u words of others, %u times none\n%s\n", found[0], found[1], passed ? "PASSED" : "FAILED");
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
