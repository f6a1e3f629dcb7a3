// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Functions of the device as values: the host reads their addresses from symbols, and kernels call them.
#include <cstdio>
#include <cuda_runtime.h>

typedef unsigned char (*point_operation)(unsigned char, float);
typedef float (*combine_t)(float, float);

__device__ unsigned char brighten(unsigned char value, float by)
{
    return (unsigned char)min(255, (int)(value + by));
}
__device__ unsigned char threshold(unsigned char value, float by) { return value > by ? 255 : 0; }
__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }

__device__ point_operation pointer_brighten = brighten;
__device__ point_operation pointer_threshold = threshold;
__device__ combine_t of_device[2] = {add, multiply};
__constant__ combine_t chosen[2];

__global__ void apply(point_operation operation, float by, unsigned char *pixels)
{
    pixels[threadIdx.x] = (*operation)(pixels[threadIdx.x], by);
}

// Each half of a warp calls another function.
__global__ void combine(float *out)
{
    int which = threadIdx.x / 16 % 2;
    out[threadIdx.x] = of_device[which](threadIdx.x, 3) + 1000 * chosen[which](threadIdx.x, 5);
}

int main()
{
    point_operation table[2];
    combine_t swapped[2];
    cudaMemcpyFromSymbol(&table[0], pointer_brighten, sizeof(point_operation));
    cudaMemcpyFromSymbol(&table[1], pointer_threshold, sizeof(point_operation));
    cudaMemcpyFromSymbol(&swapped[1], of_device, sizeof(combine_t), 0);
    cudaMemcpyFromSymbol(&swapped[0], of_device, sizeof(combine_t), sizeof(combine_t));
    cudaMemcpyToSymbol(chosen, swapped, sizeof swapped);

    unsigned char pixels[64], *device;
    float sums[64], *out;
    for (int i = 0; i < 64; i++) pixels[i] = 4 * i;
    cudaMalloc(&device, sizeof pixels);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(device, pixels, sizeof pixels, cudaMemcpyHostToDevice);
    apply<<<1, 64>>>(table[0], 50, device);
    apply<<<1, 32>>>(table[1], 100, device);
    combine<<<1, 64>>>(out);
    cudaMemcpy(pixels, device, sizeof pixels, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 64; i++)
    {
        int bright = 4 * i + 50 > 255 ? 255 : 4 * i + 50;
        int expected = i >= 32 ? bright : bright > 100 ? 255 : 0;
        wrong += pixels[i] != expected;
        float sum = i / 16 % 2 == 0 ? (i + 3) + 1000 * (i * 5) : i * 3 + 1000 * (i + 5);
        wrong += sums[i] != sum;
    }
    printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
