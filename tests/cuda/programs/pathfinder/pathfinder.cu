// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The cheapest way down a grid: rows by dynamic programming, a pyramid of rows for each launch.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <assert.h>

#ifdef TIMING
#include "timing.h"
#endif

#define BLOCK_SIZE 64
#define HALO 1
#define M_SEED 9
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

int rows, cols, pyramid_height;
int *data;
int **wall;
int *result;

__global__ void dynproc_kernel(int iteration, int *gpuWall, int *gpuSrc, int *gpuResults, int cols, int rows, int startStep, int border)
{
    __shared__ int prev[BLOCK_SIZE];
    __shared__ int result[BLOCK_SIZE];
    int bx = blockIdx.x, tx = threadIdx.x;
    int small_block_cols = BLOCK_SIZE - iteration * HALO * 2;
    int blkX = small_block_cols * bx - border, blkXmax = blkX + BLOCK_SIZE - 1, xidx = blkX + tx;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - cols + 1) : BLOCK_SIZE - 1;
    int W = tx - 1, E = tx + 1;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;
    bool isValid = IN_RANGE(tx, validXmin, validXmax);
    if (IN_RANGE(xidx, 0, cols - 1)) prev[tx] = gpuSrc[xidx];
    __syncthreads();
    bool computed;
    for (int i = 0; i < iteration; i++)
    {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && isValid)
        {
            computed = true;
            int shortest = MIN(prev[W], prev[tx]);
            shortest = MIN(shortest, prev[E]);
            result[tx] = shortest + gpuWall[cols * (startStep + i) + xidx];
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (computed) prev[tx] = result[tx];
        __syncthreads();
    }
    if (computed) gpuResults[xidx] = result[tx];
}

void init(int argc, char **argv)
{
    cols = 150;
    rows = 12;
    pyramid_height = 4;
    if (argc == 4)
    {
        cols = atoi(argv[1]);
        rows = atoi(argv[2]);
        pyramid_height = atoi(argv[3]);
    }
    else if (argc != 1)
    {
        printf("Usage: dynproc row_len col_len pyramid_height\n");
        exit(1);
    }
    data = new int[rows * cols];
    wall = new int *[rows];
    for (int n = 0; n < rows; n++) wall[n] = data + cols * n;
    result = new int[cols];
    srand(M_SEED);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) wall[i][j] = rand() % 10;
}

int main(int argc, char **argv)
{
    int num_devices;
    cudaGetDeviceCount(&num_devices);
    if (num_devices > 1) cudaSetDevice(num_devices - 1);
    init(argc, argv);
    int borderCols = pyramid_height * HALO, smallBlockCol = BLOCK_SIZE - pyramid_height * HALO * 2;
    int blockCols = cols / smallBlockCol + ((cols % smallBlockCol == 0) ? 0 : 1);
    int *gpuWall, *gpuResult[2], size = rows * cols;
    cudaMalloc((void **)&gpuResult[0], sizeof(int) * cols);
    cudaMalloc((void **)&gpuResult[1], sizeof(int) * cols);
    cudaMemcpy(gpuResult[0], data, sizeof(int) * cols, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&gpuWall, sizeof(int) * (size - cols));
    cudaMemcpy(gpuWall, data + cols, sizeof(int) * (size - cols), cudaMemcpyHostToDevice);
    int src = 1, dst = 0;
    for (int t = 0; t < rows - 1; t += pyramid_height)
    {
        int temp = src;
        src = dst;
        dst = temp;
        int steps = MIN(pyramid_height, rows - t - 1);
        dynproc_kernel<<<blockCols, BLOCK_SIZE>>>(steps, gpuWall, gpuResult[src], gpuResult[dst], cols, rows, t, borderCols);
    }
    cudaMemcpy(result, gpuResult[dst], sizeof(int) * cols, cudaMemcpyDeviceToHost);
    int *a = new int[cols], *b = new int[cols], wrong = 0;
    for (int x = 0; x < cols; x++) a[x] = wall[0][x];
    for (int y = 1; y < rows; y++)
    {
        for (int x = 0; x < cols; x++)
        {
            int best = a[x];
            if (x) best = MIN(best, a[x - 1]);
            if (x + 1 < cols) best = MIN(best, a[x + 1]);
            b[x] = best + wall[y][x];
        }
        int *swap = a; a = b; b = swap;
    }
    for (int x = 0; x < cols; x++) wrong += a[x] != result[x];
    for (int i = 0; i < MIN(cols, 10); i++) printf("%d ", result[i]);
    cudaFree(gpuWall); cudaFree(gpuResult[0]); cudaFree(gpuResult[1]);
    delete[] data; delete[] wall; delete[] result; delete[] a; delete[] b;
    printf("\n%s\n", wrong ? "FAILED" : "PASSED");
    return wrong ? 1 : 0;
}
