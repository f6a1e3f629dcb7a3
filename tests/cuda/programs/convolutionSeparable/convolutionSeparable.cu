// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Rows, then columns, several results a thread. */
#include <assert.h>
#include <helper_cuda.h>
#include "convolutionSeparable_common.h"

__constant__ float c_Kernel[KERNEL_LENGTH];

extern "C" void setConvolutionKernel(float *h_Kernel)
{
    checkCudaErrors(cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float)));
}

#define BX 16
#define BY 4
#define STEPS 4
#define HALO 1

__global__ void rowsKernel(float *dst, const float *src, int w, int h, int pitch)
{
    __shared__ float data[BY][(STEPS + 2 * HALO) * BX];
    const int x0 = (blockIdx.x * STEPS - HALO) * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    src += y * pitch + x0;
    dst += y * pitch + x0;
#pragma unroll
    for (int i = 0; i < STEPS + 2 * HALO; i++)
    {
        int x = x0 + i * BX;
        data[threadIdx.y][threadIdx.x + i * BX] = x >= 0 && x < w ? src[i * BX] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = HALO; i < HALO + STEPS; i++)
    {
        float sum = 0;
#pragma unroll
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_Kernel[KERNEL_RADIUS - j] * data[threadIdx.y][threadIdx.x + i * BX + j];
        if (x0 + i * BX < w) dst[i * BX] = sum;
    }
}

__global__ void columnsKernel(float *dst, const float *src, int w, int h, int pitch)
{
    // One column more than needed, against bank conflicts.
    __shared__ float data[BX][(STEPS + 2 * HALO) * BX + 1];
    const int x = blockIdx.x * BX + threadIdx.x;
    const int first = blockIdx.y * STEPS * BX - HALO * BX;
    for (int r = threadIdx.y; r < (STEPS + 2 * HALO) * BX; r += BY)
    {
        int y = first + r;
        data[threadIdx.x][r] = y >= 0 && y < h ? src[y * pitch + x] : 0;
    }
    __syncthreads();
    for (int r = HALO * BX + threadIdx.y; r < (STEPS + HALO) * BX; r += BY)
    {
        float sum = 0;
#pragma unroll
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++) sum += c_Kernel[KERNEL_RADIUS - j] * data[threadIdx.x][r + j];
        if (first + r < h) dst[(first + r) * pitch + x] = sum;
    }
}

extern "C" void convolutionRowsGPU(float *d_Dst, float *d_Src, int w, int h)
{
    assert(BX * HALO >= KERNEL_RADIUS && h % BY == 0);
    dim3 blocks((w + STEPS * BX - 1) / (STEPS * BX), h / BY), threads(BX, BY);
    rowsKernel<<<blocks, threads>>>(d_Dst, d_Src, w, h, w);
    getLastCudaError("rowsKernel() execution failed\n");
}

extern "C" void convolutionColumnsGPU(float *d_Dst, float *d_Src, int w, int h)
{
    assert(w % BX == 0);
    dim3 blocks(w / BX, (h + STEPS * BX - 1) / (STEPS * BX)), threads(BX, BY);
    columnsKernel<<<blocks, threads>>>(d_Dst, d_Src, w, h, w);
    getLastCudaError("columnsKernel() execution failed\n");
}
