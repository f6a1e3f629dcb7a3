// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Block sizes by the occupancy calls, attributes of functions, and limits that launches respect. */
#include <iostream>
#include <helper_cuda.h>

__global__ void square(int *array, int arrayCount)
{
    extern __shared__ int dynamicSmem[];
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount) array[idx] *= array[idx];
}

__global__ void greedy(int *out)
{
    __shared__ int area[3000];
    area[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = area[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(64, 2) bounded(int *out) { out[threadIdx.x] = 1; }

struct blockSizeToBytes
{
    size_t operator()(int blockSize) const { return blockSize * sizeof(int); }
};

int main()
{
    const int count = 3000;
    int *array = new int[count], *dArray, wrong = 0, blockSize, minGridSize, numBlocks, device;
    for (int i = 0; i < count; i++) array[i] = i;
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaGetDeviceProperties(&prop, device));
    checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)square, 0, count));
    std::cout << "suggested block size: " << blockSize << ", minimum grid size: " << minGridSize << std::endl;
    wrong += blockSize < 32 || blockSize > prop.maxThreadsPerBlock || minGridSize < prop.multiProcessorCount;
    checkCudaErrors(cudaMalloc(&dArray, count * sizeof(int)));
    checkCudaErrors(cudaMemcpy(dArray, array, count * sizeof(int), cudaMemcpyHostToDevice));
    square<<<(count + blockSize - 1) / blockSize, blockSize>>>(dArray, count);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(array, dArray, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++) wrong += array[i] != i * i;
    checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, square, blockSize, 0));
    double occupancy = double(numBlocks * blockSize) / prop.maxThreadsPerMultiProcessor;
    std::cout << "occupancy: " << 100 * occupancy << " %" << std::endl;
    wrong += !(occupancy > 0 && occupancy <= 1);

    // Shared memory is what bounds these.
    int greedyBlocks, heavyBlocks;
    checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&greedyBlocks, greedy, 32, 0));
    checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&heavyBlocks, square, 32, prop.sharedMemPerBlock));
    std::cout << "blocks of 12,000 bytes: " << greedyBlocks << ", of all shared memory: " << heavyBlocks << std::endl;
    wrong += greedyBlocks < 1 || greedyBlocks > (int)prop.sharedMemPerMultiprocessor / 12000 || heavyBlocks < 1 || heavyBlocks > (int)(prop.sharedMemPerMultiprocessor / prop.sharedMemPerBlock);
    checkCudaErrors(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &blockSize, square, blockSizeToBytes(), 0));
    wrong += blockSize < 32 || blockSize * sizeof(int) > prop.sharedMemPerBlock;

    cudaFuncAttributes attributes;
    checkCudaErrors(cudaFuncGetAttributes(&attributes, greedy));
    std::cout << "greedy: " << attributes.sharedSizeBytes << " bytes shared, " << attributes.numRegs << " registers, " << attributes.maxThreadsPerBlock << " threads" << std::endl;
    wrong += attributes.sharedSizeBytes < 12000 || attributes.numRegs < 1 || attributes.maxThreadsPerBlock < 32;
    checkCudaErrors(cudaFuncSetCacheConfig(greedy, cudaFuncCachePreferShared));
    greedy<<<1, 64>>>(dArray);
    bounded<<<1, 64>>>(dArray + 64);
    checkCudaErrors(cudaMemcpy(array, dArray, 128 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) wrong += array[i] != 63 - i || array[64 + i] != 1;
    checkCudaErrors(cudaFree(dArray));
    delete[] array;
    std::cout << (wrong ? "FAILED" : "PASSED") << std::endl;
    return wrong != 0;
}
