// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Copies and transposes with and without bank conflicts, called by a pointer to a kernel. */
#include <stdio.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define TILE 16
#define ROWS 4

__global__ void plain_copy(float *to, float *from, int width, int height)
{
    int at = blockIdx.x * TILE + threadIdx.x + width * (blockIdx.y * TILE + threadIdx.y);
    for (int i = 0; i < TILE; i += ROWS)
        to[at + i * width] = from[at + i * width];
}

__global__ void copy_by_shared_memory(float *to, float *from, int width, int height)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ float tile[TILE][TILE];
    int at = blockIdx.x * TILE + threadIdx.x + width * (blockIdx.y * TILE + threadIdx.y);
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = from[at + i * width];
    cg::sync(block);
    // Another thread's element: without the barrier it would not be there.
    for (int i = 0; i < TILE; i += ROWS)
        to[blockIdx.x * TILE + threadIdx.x + width * (blockIdx.y * TILE + TILE - 1 - threadIdx.y - i)] =
            tile[TILE - 1 - threadIdx.y - i][threadIdx.x];
}

__global__ void scattered(float *to, float *from, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        to[x * height + y + i] = from[x + width * (y + i)];
}

template <int PAD>
__device__ void by_tile(float (*tile)[TILE + PAD], float *to, const float *from, int width, int height, int bx, int by)
{
    const float *in = from + bx * TILE + threadIdx.x + (by * TILE + threadIdx.y) * width;
    float *out = to + by * TILE + threadIdx.x + (bx * TILE + threadIdx.y) * height;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[i * width];
    __syncthreads();
    for (int i = 0; i < TILE; i += ROWS)
        out[i * height] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void coalesced(float *to, float *from, int width, int height)
{
    __shared__ float tile[TILE][TILE];
    by_tile<0>(tile, to, from, width, height, blockIdx.x, blockIdx.y);
}

__global__ void padded(float *to, float *from, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    by_tile<1>(tile, to, from, width, height, blockIdx.x, blockIdx.y);
}

__global__ void diagonal(float *to, float *from, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int index = blockIdx.x + gridDim.x * blockIdx.y, y = index % gridDim.y;
    by_tile<1>(tile, to, from, width, height, (index / gridDim.y + y) % gridDim.x, y);
}

struct variant
{
    void (*kernel)(float *, float *, int, int);
    const char *name;
    bool transposes;
};

static const variant variants[] = {{&plain_copy, "copy", false}, {&copy_by_shared_memory, "copy by shared memory", false},
                                   {&scattered, "scattered", true}, {&coalesced, "coalesced", true},
                                   {&padded, "padded", true}, {diagonal, "diagonal", true}};

int main(int argc, char **argv)
{
    int width = 64, height = 48;
    if (checkCmdLineFlag(argc, (const char **)argv, "width"))
        width = getCmdLineArgumentInt(argc, (const char **)argv, "width");
    if (checkCmdLineFlag(argc, (const char **)argv, "height"))
        height = getCmdLineArgumentInt(argc, (const char **)argv, "height");
    if (width % TILE || height % TILE)
    {
        printf("width and height: multiples of %d\nFAILED\n", TILE);
        return EXIT_FAILURE;
    }
    findCudaDevice(argc, (const char **)argv);
    int n = width * height;
    size_t bytes = n * sizeof(float);
    float *h_in = (float *)malloc(bytes), *h_out = (float *)malloc(bytes), *turned = (float *)malloc(bytes);
    for (int i = 0; i < n; ++i) h_in[i] = (float)i;
    for (int i = 0; i < n; ++i) turned[i % width * height + i / width] = h_in[i];
    float *d_in, *d_out;
    checkCudaErrors(cudaMalloc((void **)&d_in, bytes));
    checkCudaErrors(cudaMalloc((void **)&d_out, bytes));
    checkCudaErrors(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));

    bool right = true;
    for (const variant &one : variants)
    {
        checkCudaErrors(cudaMemset(d_out, 0, bytes));
        checkCudaErrors(cudaEventRecord(start, 0));
        one.kernel<<<dim3(width / TILE, height / TILE), dim3(TILE, ROWS)>>>(d_out, d_in, width, height);
        getLastCudaError("a transpose was not launched");
        checkCudaErrors(cudaEventRecord(stop, 0));
        checkCudaErrors(cudaEventSynchronize(stop));
        float ms;
        checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
        checkCudaErrors(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
        bool same = compareData(one.transposes ? turned : h_in, h_out, n, 0.01f, 0.0f);
        printf("%-22s %8.5f ms %8.3f GB/s %s\n", one.name, ms, 2e-6 * bytes / ms, same ? "" : "wrong");
        right = right && same;
    }
    free(h_in);
    free(h_out);
    free(turned);
    checkCudaErrors(cudaFree(d_in));
    checkCudaErrors(cudaFree(d_out));
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    printf("%s\n", right ? "PASSED" : "FAILED");
    exit(right ? EXIT_SUCCESS : EXIT_FAILURE);
}
