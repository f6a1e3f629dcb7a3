// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Needleman and Wunsch's alignment along diagonals of tiles; limits by -DLIMIT.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <sys/time.h>
#include <cuda.h>
#include <vector>

#ifdef RD_WG_SIZE
#define BLOCK_SIZE RD_WG_SIZE
#else
#define BLOCK_SIZE 16
#endif

__device__ __host__ int maximum(int a, int b, int c)
{
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

__device__ void tile(int *reference, int *matrix, int cols, int penalty, int bx, int by)
{
    __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];
    int tx = threadIdx.x, base = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    if (tx == 0) temp[0][0] = matrix[base];
    for (int ty = 0; ty < BLOCK_SIZE; ty++) ref[ty][tx] = reference[base + cols * (ty + 1) + tx + 1];
    temp[tx + 1][0] = matrix[base + cols * (tx + 1)];
    temp[0][tx + 1] = matrix[base + tx + 1];
    __syncthreads();
    for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++)
    {
        int x = tx + 1, y = m - tx + 1;
        if (y >= 1 && y <= BLOCK_SIZE)
            temp[y][x] = maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty, temp[y - 1][x] - penalty);
        __syncthreads();
    }
    for (int ty = 0; ty < BLOCK_SIZE; ty++) matrix[base + cols * (ty + 1) + tx + 1] = temp[ty + 1][tx + 1];
}

__global__ void needle_cuda_shared_1(int *reference, int *matrix, int cols, int penalty, int i)
{
    tile(reference, matrix, cols, penalty, blockIdx.x, i - 1 - blockIdx.x);
}

__global__ void needle_cuda_shared_2(int *reference, int *matrix, int cols, int penalty, int i, int block_width)
{
    tile(reference, matrix, cols, penalty, blockIdx.x + block_width - i, block_width - blockIdx.x - 1);
}

int main(int argc, char **argv)
{
    int n = 64, penalty = 10;
    if (argc == 3)
    {
        n = atoi(argv[1]);
        penalty = atoi(argv[2]);
    }
    if (n % BLOCK_SIZE != 0)
    {
        fprintf(stderr, "The dimension values must be a multiple of %d\n", BLOCK_SIZE);
        exit(1);
    }
    int cols = n + 1, size = cols * cols;
    std::vector<int> reference(size), matrix(size, 0), expected, first(cols), second(cols);
    int table[24][24];
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++) table[i][j] = i == j ? 4 + i % 4 : -((i * j + i + j) % 5);
    srand(7);
    for (int i = 1; i < cols; i++) { first[i] = rand() % 10 + 1; second[i] = rand() % 10 + 1; }
    for (int i = 1; i < cols; i++)
        for (int j = 1; j < cols; j++) reference[i * cols + j] = table[first[i]][second[j]];
    for (int i = 1; i < cols; i++) matrix[i * cols] = matrix[i] = -i * penalty;
    expected = matrix;
    for (int i = 1; i < cols; i++)
        for (int j = 1; j < cols; j++)
            expected[i * cols + j] = maximum(expected[(i - 1) * cols + j - 1] + reference[i * cols + j], expected[i * cols + j - 1] - penalty, expected[(i - 1) * cols + j] - penalty);
    int *referrence_cuda, *matrix_cuda;
    cudaMalloc((void **)&referrence_cuda, sizeof(int) * size);
    cudaMalloc((void **)&matrix_cuda, sizeof(int) * size);
    cudaMemcpy(referrence_cuda, &reference[0], sizeof(int) * size, cudaMemcpyHostToDevice);
    cudaMemcpy(matrix_cuda, &matrix[0], sizeof(int) * size, cudaMemcpyHostToDevice);
    dim3 dimGrid, dimBlock(BLOCK_SIZE, 1);
    int block_width = n / BLOCK_SIZE;
    for (int i = 1; i <= block_width; i++)
    {
        dimGrid.x = i;
        dimGrid.y = 1;
        needle_cuda_shared_1<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, cols, penalty, i);
    }
    for (int i = block_width - 1; i >= 1; i--)
    {
        dimGrid.x = i;
        needle_cuda_shared_2<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, cols, penalty, i, block_width);
    }
    cudaMemcpy(&matrix[0], matrix_cuda, sizeof(int) * size, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < size; i++) wrong += matrix[i] != expected[i];
    cudaFree(referrence_cuda);
    cudaFree(matrix_cuda);
    printf("score %d, %d cells wrong\n%s\n", matrix[size - 1], wrong, wrong ? "FAILED" : "PASSED");
    return wrong ? 1 : 0;
}
