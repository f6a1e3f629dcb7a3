// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* C = A * B by tiles in shared memory: the tile is a template parameter. */
#include <stdio.h>
#include <cuda_runtime.h>
#include <helper_functions.h>
#include <helper_cuda.h>

template <int TILE>
__global__ void multiply(float *C, const float *A, const float *B, int depth, int width)
{
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int at = 0; at < depth; at += TILE)
    {
        __shared__ float a[TILE][TILE];
        __shared__ float b[TILE][TILE];
        a[threadIdx.y][threadIdx.x] = A[row * depth + at + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(at + threadIdx.y) * width + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[row * width + column] = sum;
}

static int option(int argc, char **argv, const char *name, int otherwise)
{
    if (!checkCmdLineFlag(argc, (const char **)argv, name)) return otherwise;
    return getCmdLineArgumentInt(argc, (const char **)argv, name);
}

int main(int argc, char **argv)
{
    int dev = findCudaDevice(argc, (const char **)argv);
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, dev));
    int tile = option(argc, argv, "tile", 16);
    if (tile != 8 && tile != 16)
    {
        printf("-tile=8 or -tile=16\nFAILED\n");
        exit(EXIT_FAILURE);
    }
    dim3 a(option(argc, argv, "depth", 2 * tile), option(argc, argv, "height", 3 * tile));
    dim3 b(option(argc, argv, "width", 4 * tile), a.x);
    dim3 c(b.x, a.y);
    printf("%s: (%u x %u) * (%u x %u)\n", prop.name, a.y, a.x, b.y, b.x);

    float *h_A, *h_B, *h_C, *d_A, *d_B, *d_C;
    checkCudaErrors(cudaMallocHost(&h_A, a.x * a.y * sizeof(float)));
    checkCudaErrors(cudaMallocHost(&h_B, b.x * b.y * sizeof(float)));
    checkCudaErrors(cudaMallocHost(&h_C, c.x * c.y * sizeof(float)));
    for (unsigned i = 0; i < a.x * a.y; ++i) h_A[i] = (float)(i % 7) - 2.5f;
    for (unsigned i = 0; i < b.x * b.y; ++i) h_B[i] = 0.25f * (i % 11);
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_A), a.x * a.y * sizeof(float)));
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_B), b.x * b.y * sizeof(float)));
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_C), c.x * c.y * sizeof(float)));

    cudaEvent_t start, stop;
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));
    cudaStream_t stream;
    checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaMemcpyAsync(d_A, h_A, a.x * a.y * sizeof(float), cudaMemcpyHostToDevice, stream));
    checkCudaErrors(cudaMemcpyAsync(d_B, h_B, b.x * b.y * sizeof(float), cudaMemcpyHostToDevice, stream));

    dim3 threads(tile, tile), grid(c.x / tile, c.y / tile);
    const int rounds = 2;
    checkCudaErrors(cudaEventRecord(start, stream));
    for (int j = 0; j < rounds; j++)
    {
        if (tile == 16)
            multiply<16><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, a.x, b.x);
        else
            multiply<8><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, a.x, b.x);
    }
    checkCudaErrors(cudaEventRecord(stop, stream));
    checkCudaErrors(cudaEventSynchronize(stop));
    float ms = 0.0f;
    checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
    printf("%.5f ms, %.3f GFlop/s\n", ms / rounds, 2e-6 * rounds * a.x * c.x * c.y / ms);
    checkCudaErrors(cudaMemcpyAsync(h_C, d_C, c.x * c.y * sizeof(float), cudaMemcpyDeviceToHost, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));

    bool correct = ms > 0.0f;
    for (unsigned y = 0; y < c.y; y++)
        for (unsigned x = 0; x < c.x; x++)
        {
            double sum = 0;
            for (unsigned k = 0; k < a.x; k++) sum += (double)h_A[y * a.x + k] * h_B[k * b.x + x];
            if (fabs(h_C[y * c.x + x] - sum) > 1e-4)
            {
                printf("C[%u][%u] = %.8f, not %.8f\n", y, x, h_C[y * c.x + x], sum);
                correct = false;
            }
        }

    checkCudaErrors(cudaFreeHost(h_A));
    checkCudaErrors(cudaFreeHost(h_B));
    checkCudaErrors(cudaFreeHost(h_C));
    checkCudaErrors(cudaFree(d_A));
    checkCudaErrors(cudaFree(d_B));
    checkCudaErrors(cudaFree(d_C));
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    checkCudaErrors(cudaStreamDestroy(stream));
    printf("%s\n", correct ? "PASSED" : "FAILED");
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
