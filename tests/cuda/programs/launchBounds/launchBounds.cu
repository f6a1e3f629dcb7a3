// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A limit of a kernel's threads: what the runtime tells of it, and what a launch beyond it gets.
#include <cstdio>
#include <cstdlib>

template <int threads>
__global__ void __launch_bounds__(threads) reverse(int *data) {
    __shared__ int block[threads];
    block[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    data[blockIdx.x * blockDim.x + threadIdx.x] = block[blockDim.x - 1 - threadIdx.x];
}
__global__ void unbounded(int *data) { data[threadIdx.x] = 0; }

#define EXPECT(condition)                                                   \
    if (!(condition)) {                                                     \
        printf("line %d: " #condition " does not hold\n", __LINE__);       \
        return EXIT_FAILURE;                                                \
    }

int main() {
    cudaFuncAttributes attributes;
    EXPECT(cudaFuncGetAttributes(&attributes, reverse<96>) == cudaSuccess);
    EXPECT(attributes.maxThreadsPerBlock == 96);
    EXPECT(cudaFuncGetAttributes(&attributes, unbounded) == cudaSuccess);
    EXPECT(attributes.maxThreadsPerBlock > 96);
#ifdef MOST_REGISTERS
    EXPECT(attributes.numRegs <= MOST_REGISTERS);
    EXPECT(cudaFuncGetAttributes(&attributes, reverse<96>) == cudaSuccess);
    EXPECT(attributes.numRegs <= MOST_REGISTERS);
#endif

    int *data, host[192];
    for (int i = 0; i < 192; ++i) host[i] = i;
    EXPECT(cudaMalloc(&data, sizeof host) == cudaSuccess);
    EXPECT(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
    reverse<96><<<2, 96>>>(data);
    EXPECT(cudaGetLastError() == cudaSuccess);
    reverse<96><<<1, 97>>>(data);
    EXPECT(cudaGetLastError() == cudaErrorLaunchOutOfResources);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 192; ++i) EXPECT(host[i] == i / 96 * 96 + 95 - i % 96);

    int blocks = -1, grid = 0, size = 0;
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse<96>, 96, 0) == cudaSuccess);
    EXPECT(blocks > 0);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse<96>, 128, 0) == cudaSuccess);
    EXPECT(blocks == 0);
    EXPECT(cudaOccupancyMaxPotentialBlockSize(&grid, &size, reverse<96>) == cudaSuccess);
    EXPECT(size <= 96 && size > 0 && grid > 0);
    printf("PASSED\n");
    return EXIT_SUCCESS;
}
