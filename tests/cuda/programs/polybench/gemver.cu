// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A += u1 v1' + u2 v2'; x = beta A' y + z; w = alpha A x.
#include <stdio.h>
#include <cuda.h>
#include "polybenchUtilFuncts.h"
#define PERCENT_DIFF_ERROR_THRESHOLD 1e-9
#ifndef N
#define N 48
#endif
typedef double DATA_TYPE;

__global__ void gemver_kernel1(DATA_TYPE *a, DATA_TYPE *v1, DATA_TYPE *v2, DATA_TYPE *u1, DATA_TYPE *u2)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < N) && (j < N)) a[i * N + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

__global__ void gemver_kernel2(DATA_TYPE *a, DATA_TYPE *x, DATA_TYPE *y, DATA_TYPE *z, DATA_TYPE beta)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
    {
        for (int j = 0; j < N; j++) x[i] += beta * a[j * N + i] * y[j];
        x[i] += z[i];
    }
}

__global__ void gemver_kernel3(DATA_TYPE *a, DATA_TYPE *x, DATA_TYPE *w, DATA_TYPE alpha)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((i >= 0) && (i < N))
        for (int j = 0; j < N; j++) w[i] += alpha * a[i * N + j] * x[j];
}

int main(int argc, char *argv[])
{
    DATA_TYPE *a = (DATA_TYPE *)malloc(N * N * sizeof(DATA_TYPE)), *v[8], *dv[8], *da, *w_gpu = (DATA_TYPE *)malloc(N * sizeof(DATA_TYPE));
    DATA_TYPE alpha = 4.3532, beta = 1.2313;
    // u1 u2 v1 v2 y z x w
    for (int k = 0; k < 8; k++)
    {
        v[k] = (DATA_TYPE *)malloc(N * sizeof(DATA_TYPE));
        for (int i = 0; i < N; i++) v[k][i] = k < 6 ? (i + 1.0) / N / (k + 2.0) : 0;
        cudaMalloc((void **)&dv[k], N * sizeof(DATA_TYPE));
        cudaMemcpy(dv[k], v[k], N * sizeof(DATA_TYPE), cudaMemcpyHostToDevice);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i * N + j] = ((DATA_TYPE)i * j) / N;
    cudaMalloc((void **)&da, N * N * sizeof(DATA_TYPE));
    cudaMemcpy(da, a, N * N * sizeof(DATA_TYPE), cudaMemcpyHostToDevice);
    double t_start = rtclock();
    dim3 block1(32, 4), grid1((size_t)(ceil((float)N / ((float)32))), (size_t)(ceil((float)N / ((float)4))));
    gemver_kernel1<<<grid1, block1>>>(da, dv[2], dv[3], dv[0], dv[1]);
    cudaThreadSynchronize();
    gemver_kernel2<<<(N + 31) / 32, 32>>>(da, dv[6], dv[4], dv[5], beta);
    cudaThreadSynchronize();
    gemver_kernel3<<<(N + 31) / 32, 32>>>(da, dv[6], dv[7], alpha);
    cudaThreadSynchronize();
    fprintf(stderr, "GPU Runtime: %0.6lfs\n", rtclock() - t_start);
    cudaMemcpy(w_gpu, dv[7], N * sizeof(DATA_TYPE), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i * N + j] += v[0][i] * v[2][j] + v[1][i] * v[3][j];
    for (int i = 0; i < N; i++)
    {
        for (int j = 0; j < N; j++) v[6][i] += beta * a[j * N + i] * v[4][j];
        v[6][i] += v[5][i];
    }
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) v[7][i] += alpha * a[i * N + j] * v[6][j];
    int fail = countBeyond(v[7], w_gpu, N, PERCENT_DIFF_ERROR_THRESHOLD);
    for (int k = 0; k < 8; k++) { cudaFree(dv[k]); free(v[k]); }
    cudaFree(da);
    free(a); free(w_gpu);
    return report(fail, PERCENT_DIFF_ERROR_THRESHOLD);
}
