// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// LU decomposition by blocks: the diagonal, its row and column, the rest.
#include <cuda.h>
#include <stdio.h>

#define BLOCK_SIZE 8

__global__ void lud_diagonal(float *m, int matrix_dim, int offset)
{
    __shared__ float shadow[BLOCK_SIZE][BLOCK_SIZE];
    int at = offset * matrix_dim + offset;
    for (int i = 0; i < BLOCK_SIZE; i++) shadow[i][threadIdx.x] = m[at + i * matrix_dim + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < BLOCK_SIZE - 1; i++)
    {
        if (threadIdx.x > i)
        {
            for (int j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
            shadow[threadIdx.x][i] /= shadow[i][i];
        }
        __syncthreads();
        if (threadIdx.x > i)
            for (int j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
        __syncthreads();
    }
    for (int i = 1; i < BLOCK_SIZE; i++) m[at + i * matrix_dim + threadIdx.x] = shadow[i][threadIdx.x];
}

__global__ void lud_perimeter(float *m, int matrix_dim, int offset)
{
    __shared__ float dia[BLOCK_SIZE][BLOCK_SIZE], row[BLOCK_SIZE][BLOCK_SIZE], col[BLOCK_SIZE][BLOCK_SIZE];
    int idx = threadIdx.x % BLOCK_SIZE, other = offset + (blockIdx.x + 1) * BLOCK_SIZE;
    bool upper = threadIdx.x < BLOCK_SIZE;
    for (int i = 0; i < BLOCK_SIZE; i++)
    {
        if (upper)
        {
            dia[i][idx] = m[(offset + i) * matrix_dim + offset + idx];
            row[i][idx] = m[(offset + i) * matrix_dim + other + idx];
        }
        else
            col[i][idx] = m[(other + i) * matrix_dim + offset + idx];
    }
    __syncthreads();
    if (upper)
    {
        for (int i = 1; i < BLOCK_SIZE; i++)
            for (int j = 0; j < i; j++) row[i][idx] -= dia[i][j] * row[j][idx];
    }
    else
    {
        for (int i = 0; i < BLOCK_SIZE; i++)
        {
            for (int j = 0; j < i; j++) col[idx][i] -= col[idx][j] * dia[j][i];
            col[idx][i] /= dia[i][i];
        }
    }
    __syncthreads();
    for (int i = 0; i < BLOCK_SIZE; i++)
    {
        if (upper) m[(offset + i) * matrix_dim + other + idx] = row[i][idx];
        else m[(other + i) * matrix_dim + offset + idx] = col[i][idx];
    }
}

__global__ void lud_internal(float *m, int matrix_dim, int offset)
{
    __shared__ float peri_row[BLOCK_SIZE][BLOCK_SIZE], peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int global_row_id = offset + (blockIdx.y + 1) * BLOCK_SIZE, global_col_id = offset + (blockIdx.x + 1) * BLOCK_SIZE;
    peri_row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * matrix_dim + global_col_id + threadIdx.x];
    peri_col[threadIdx.y][threadIdx.x] = m[(global_row_id + threadIdx.y) * matrix_dim + offset + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < BLOCK_SIZE; i++) sum += peri_col[threadIdx.y][i] * peri_row[i][threadIdx.x];
    m[(global_row_id + threadIdx.y) * matrix_dim + global_col_id + threadIdx.x] -= sum;
}

void lud_cuda(float *m, int matrix_dim)
{
    int i = 0;
    for (i = 0; i < matrix_dim - BLOCK_SIZE; i += BLOCK_SIZE)
    {
        int left = (matrix_dim - i) / BLOCK_SIZE - 1;
        lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
        lud_perimeter<<<left, BLOCK_SIZE * 2>>>(m, matrix_dim, i);
        lud_internal<<<dim3(left, left), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(m, matrix_dim, i);
    }
    lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
}
