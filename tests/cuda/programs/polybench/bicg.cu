// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// s = A' r and q = A p.
#include <stdio.h>
#include <cuda.h>
#include "polybenchUtilFuncts.h"
#define PERCENT_DIFF_ERROR_THRESHOLD 1e-9
#define NX 48
#define NY 40
typedef double DATA_TYPE;

__global__ void bicg_kernel1(DATA_TYPE *A, DATA_TYPE *r, DATA_TYPE *s)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < NY)
    {
        s[j] = 0.0f;
        for (int i = 0; i < NX; i++) s[j] += A[i * NY + j] * r[i];
    }
}

__global__ void bicg_kernel2(DATA_TYPE *A, DATA_TYPE *p, DATA_TYPE *q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < NX)
    {
        q[i] = 0.0f;
        for (int j = 0; j < NY; j++) q[i] += A[i * NY + j] * p[j];
    }
}

int main(int argc, char **argv)
{
    static DATA_TYPE A[NX * NY], r[NX], s[NY], p[NY], q[NX], s_gpu[NY], q_gpu[NX];
    for (int i = 0; i < NX; i++)
    {
        r[i] = i * 3.14159;
        for (int j = 0; j < NY; j++) A[i * NY + j] = ((DATA_TYPE)i * j) / NX;
    }
    for (int j = 0; j < NY; j++) p[j] = j * 3.14159;
    DATA_TYPE *dA, *dr, *ds, *dp, *dq;
    cudaMalloc((void **)&dA, sizeof A); cudaMalloc((void **)&dr, sizeof r); cudaMalloc((void **)&ds, sizeof s);
    cudaMalloc((void **)&dp, sizeof p); cudaMalloc((void **)&dq, sizeof q);
    cudaMemcpy(dA, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMemcpy(dr, r, sizeof r, cudaMemcpyHostToDevice);
    cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);
    double t_start = rtclock();
    bicg_kernel1<<<(NY + 31) / 32, 32>>>(dA, dr, ds);
    cudaThreadSynchronize();
    bicg_kernel2<<<(NX + 31) / 32, 32>>>(dA, dp, dq);
    cudaThreadSynchronize();
    fprintf(stderr, "GPU Runtime: %0.6lfs\n", rtclock() - t_start);
    cudaMemcpy(s_gpu, ds, sizeof s, cudaMemcpyDeviceToHost);
    cudaMemcpy(q_gpu, dq, sizeof q, cudaMemcpyDeviceToHost);
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
        {
            s[j] += r[i] * A[i * NY + j];
            q[i] += A[i * NY + j] * p[j];
        }
    int fail = countBeyond(s, s_gpu, NY, PERCENT_DIFF_ERROR_THRESHOLD) + countBeyond(q, q_gpu, NX, PERCENT_DIFF_ERROR_THRESHOLD);
    cudaFree(dA); cudaFree(dr); cudaFree(ds); cudaFree(dp); cudaFree(dq);
    return report(fail, PERCENT_DIFF_ERROR_THRESHOLD);
}
