// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Sums over a warp by shuffles of each kind, width and type; a scan of a block; an integral image's rows. */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

#ifdef OLD
#define UP(v, d, w) __shfl_up(v, d, w)
#else
#define UP(v, d, w) __shfl_up_sync(0xffffffffu, v, d, w)
#endif

__global__ void shfl_scan_test(int *data, int width, int *partial_sums)
{
    extern __shared__ int sums[];
    int id = blockIdx.x * blockDim.x + threadIdx.x, lane_id = id % warpSize, warp_id = threadIdx.x / warpSize;
    int value = data[id];
#pragma unroll
    for (int i = 1; i <= width; i *= 2)
    {
        int n = UP(value, i, width);
        if (lane_id >= i) value += n;
    }
    if (threadIdx.x % warpSize == warpSize - 1) sums[warp_id] = value;
    __syncthreads();
    if (warp_id == 0 && lane_id < (blockDim.x / warpSize))
    {
        int warp_sum = sums[lane_id], mask = (1 << (blockDim.x / warpSize)) - 1;
        for (int i = 1; i <= (blockDim.x / warpSize); i *= 2)
        {
            int n = __shfl_up_sync(mask, warp_sum, i, (blockDim.x / warpSize));
            if (lane_id >= i) warp_sum += n;
        }
        sums[lane_id] = warp_sum;
    }
    __syncthreads();
    if (warp_id > 0) value += sums[warp_id - 1];
    data[id] = value;
    if (partial_sums != NULL && threadIdx.x == blockDim.x - 1) partial_sums[blockIdx.x] = value;
}

template <typename T, int WIDTH> __global__ void kinds(T *out)
{
    int l = threadIdx.x;
    T v = T(l * 3 + 1);
    out[l] = __shfl_sync(0xffffffffu, v, 5, WIDTH);
    out[32 + l] = __shfl_up_sync(0xffffffffu, v, 3, WIDTH);
    out[64 + l] = __shfl_down_sync(0xffffffffu, v, 2, WIDTH);
    out[96 + l] = __shfl_xor_sync(0xffffffffu, v, 5, WIDTH);
    out[128 + l] = __shfl_sync(0xffffffffu, v, l + 9, WIDTH);
}

template <typename T, int W> int testKinds(const char *name)
{
    T h[160], *d;
    checkCudaErrors(cudaMalloc(&d, sizeof h));
    kinds<T, W><<<1, 32>>>(d);
    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(d));
    int wrong = 0;
    for (int l = 0; l < 32; l++)
    {
        int base = l / W * W, in = l % W, from[5];
        from[0] = base + 5 % W;
        from[1] = in - 3 >= 0 ? l - 3 : l;
        from[2] = in + 2 < W ? l + 2 : l;
        from[3] = (in ^ 5) < W ? base + (in ^ 5) : l;
        // Lanes below the own segment can be read by xor; those above can't.
        if ((l ^ 5) < base + W) from[3] = l ^ 5;
        from[4] = base + (l + 9) % W;
        for (int k = 0; k < 5; k++)
            if (h[32 * k + l] != T(from[k] * 3 + 1)) { if (!wrong) printf("%s, width %d: kind %d, lane %d\n", name, W, k, l); wrong++; }
    }
    return wrong;
}

int main(int argc, char *argv[])
{
    const int n = argc > 1 ? 128 * atoi(argv[1]) : 384, block = 128;
    int *h = (int *)malloc(n * sizeof(int)), *in = (int *)malloc(n * sizeof(int)), *partial = (int *)malloc(n / block * sizeof(int)), *d, *d_partial, wrong = 0;
    for (int i = 0; i < n; i++) in[i] = i % 13 - 3;
    checkCudaErrors(cudaMalloc((void **)&d, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void **)&d_partial, n / block * sizeof(int)));
    checkCudaErrors(cudaMemcpy(d, in, n * sizeof(int), cudaMemcpyHostToDevice));
    shfl_scan_test<<<n / block, block, block / 32 * sizeof(int)>>>(d, 32, d_partial);
    checkCudaErrors(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(partial, d_partial, n / block * sizeof(int), cudaMemcpyDeviceToHost));
    for (int b = 0, sum = 0; b < n / block; b++, sum = 0)
    {
        for (int i = b * block; i < (b + 1) * block; i++) wrong += h[i] != (sum += in[i]);
        wrong += partial[b] != sum;
    }
    printf("scan of blocks: %d wrong\n", wrong);
    wrong += testKinds<int, 32>("int") + testKinds<int, 16>("int") + testKinds<int, 8>("int") + testKinds<unsigned, 4>("unsigned") + testKinds<float, 8>("float") +
             testKinds<double, 32>("double") + testKinds<double, 16>("double") + testKinds<long long, 8>("long long") + testKinds<unsigned long long, 2>("unsigned long long");
    checkCudaErrors(cudaFree(d));
    checkCudaErrors(cudaFree(d_partial));
    free(h); free(in); free(partial);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
