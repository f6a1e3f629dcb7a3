// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Means, standard deviations, centred data and the matrix of correlations: sqrt and divisions in double.
#include <stdio.h>
#include <cuda.h>
#include "polybenchUtilFuncts.h"
#define PERCENT_DIFF_ERROR_THRESHOLD 1e-7
#ifndef M
#define M 20
#endif
#define N 24
#define sqrt_of_array_cell(x, j) sqrt(x[j])
#define FLOAT_N 3214212.01
#define EPS 0.005
typedef double DATA_TYPE;

__global__ void mean_kernel(DATA_TYPE *mean, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M)
    {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++) mean[j] += data[i * M + j];
        mean[j] /= (DATA_TYPE)N;
    }
}

__global__ void std_kernel(DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M)
    {
        std[j] = 0.0;
        for (int i = 0; i < N; i++) std[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        std[j] /= N;
        std[j] = sqrt_of_array_cell(std, j);
        if (std[j] <= EPS) std[j] = 1.0;
    }
}

__global__ void reduce_kernel(DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < N) && (j < M))
    {
        data[i * M + j] -= mean[j];
        data[i * M + j] /= (sqrt((double)N) * std[j]);
    }
}

__global__ void corr_kernel(DATA_TYPE *symmat, DATA_TYPE *data)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < M - 1)
    {
        symmat[j1 * M + j1] = 1.0;
        for (int j2 = j1 + 1; j2 < M; j2++)
        {
            DATA_TYPE sum = 0.0;
            for (int i = 0; i < N; i++) sum += data[i * M + j1] * data[i * M + j2];
            symmat[j1 * M + j2] = symmat[j2 * M + j1] = sum;
        }
    }
}

int main()
{
    static DATA_TYPE data[N * M], symmat[M * M], symmat_gpu[M * M];
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) data[i * M + j] = ((DATA_TYPE)i * j) / M + (i * j * 7 % 13);
    DATA_TYPE *d_data, *d_mean, *d_std, *d_symmat, valueAtLast = 1.0;
    cudaMalloc((void **)&d_data, sizeof data);
    cudaMalloc((void **)&d_symmat, sizeof symmat);
    cudaMalloc((void **)&d_std, M * sizeof(DATA_TYPE));
    cudaMalloc((void **)&d_mean, M * sizeof(DATA_TYPE));
    cudaMemcpy(d_data, data, sizeof data, cudaMemcpyHostToDevice);
    mean_kernel<<<(M + 31) / 32, 32>>>(d_mean, d_data);
    std_kernel<<<(M + 31) / 32, 32>>>(d_mean, d_std, d_data);
    reduce_kernel<<<dim3((M + 31) / 32, (N + 3) / 4), dim3(32, 4)>>>(d_mean, d_std, d_data);
    corr_kernel<<<(M + 31) / 32, 32>>>(d_symmat, d_data);
    cudaThreadSynchronize();
    cudaMemcpy(&(d_symmat[(M - 1) * M + (M - 1)]), &valueAtLast, sizeof(DATA_TYPE), cudaMemcpyHostToDevice);
    cudaMemcpy(symmat_gpu, d_symmat, sizeof symmat, cudaMemcpyDeviceToHost);
    for (int j = 0; j < M; j++)
    {
        DATA_TYPE mean = 0, deviation = 0;
        for (int i = 0; i < N; i++) mean += data[i * M + j];
        mean /= N;
        for (int i = 0; i < N; i++) deviation += (data[i * M + j] - mean) * (data[i * M + j] - mean);
        deviation = sqrt(deviation / N);
        if (deviation <= EPS) deviation = 1;
        for (int i = 0; i < N; i++) data[i * M + j] = (data[i * M + j] - mean) / (sqrt((double)N) * deviation);
    }
    for (int j1 = 0; j1 < M; j1++)
        for (int j2 = 0; j2 < M; j2++)
        {
            DATA_TYPE sum = 0;
            for (int i = 0; i < N; i++) sum += data[i * M + j1] * data[i * M + j2];
            symmat[j1 * M + j2] = j1 == j2 ? 1 : sum;
        }
    int fail = countBeyond(symmat, symmat_gpu, M * M, PERCENT_DIFF_ERROR_THRESHOLD);
    cudaFree(d_data); cudaFree(d_symmat); cudaFree(d_std); cudaFree(d_mean);
    return report(fail, PERCENT_DIFF_ERROR_THRESHOLD);
}
