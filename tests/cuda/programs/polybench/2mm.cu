// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// E = (A * B) * D in double.
#include <stdio.h>
#include <unistd.h>
#include <cuda.h>
#include "polybenchUtilFuncts.h"

#define PERCENT_DIFF_ERROR_THRESHOLD 1e-9
#ifndef N
#define N 24
#endif
#define NI N
#define NJ (N + 2)
#define NK (N - 3)
#define NL (N + 5)
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 4
typedef double DATA_TYPE;

__global__ void mm2_kernel1(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < NI) && (j < NJ))
    {
        C[i * NJ + j] = 0;
        for (int k = 0; k < NK; k++) C[i * NJ + j] += A[i * NK + k] * B[k * NJ + j];
    }
}

__global__ void mm2_kernel2(DATA_TYPE *C, DATA_TYPE *D, DATA_TYPE *E)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < NI) && (j < NL))
    {
        DATA_TYPE sum = 0;
        for (int k = 0; k < NJ; k++) sum += C[i * NJ + k] * D[k * NL + j];
        E[i * NL + j] = sum;
    }
}

static void multiply(const DATA_TYPE *x, const DATA_TYPE *y, DATA_TYPE *z, int rows, int inner, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
        {
            z[i * columns + j] = 0;
            for (int k = 0; k < inner; k++) z[i * columns + j] += x[i * inner + k] * y[k * columns + j];
        }
}

int main(int argc, char **argv)
{
    DATA_TYPE *A = (DATA_TYPE *)malloc(NI * NK * sizeof(DATA_TYPE)), *B = (DATA_TYPE *)malloc(NK * NJ * sizeof(DATA_TYPE));
    DATA_TYPE *C = (DATA_TYPE *)malloc(NI * NJ * sizeof(DATA_TYPE)), *D = (DATA_TYPE *)malloc(NJ * NL * sizeof(DATA_TYPE));
    DATA_TYPE *E = (DATA_TYPE *)malloc(NI * NL * sizeof(DATA_TYPE)), *E_gpu = (DATA_TYPE *)malloc(NI * NL * sizeof(DATA_TYPE));
    for (int i = 0; i < NI; i++) for (int j = 0; j < NK; j++) A[i * NK + j] = ((DATA_TYPE)i * j) / NI;
    for (int i = 0; i < NK; i++) for (int j = 0; j < NJ; j++) B[i * NJ + j] = ((DATA_TYPE)i * (j + 1)) / NJ;
    for (int i = 0; i < NJ; i++) for (int j = 0; j < NL; j++) D[i * NL + j] = ((DATA_TYPE)i * (j + 2)) / NK;
    DATA_TYPE *A_gpu, *B_gpu, *C_gpu, *D_gpu, *out_gpu;
    cudaMalloc((void **)&A_gpu, sizeof(DATA_TYPE) * NI * NK);
    cudaMalloc((void **)&B_gpu, sizeof(DATA_TYPE) * NK * NJ);
    cudaMalloc((void **)&C_gpu, sizeof(DATA_TYPE) * NI * NJ);
    cudaMalloc((void **)&D_gpu, sizeof(DATA_TYPE) * NJ * NL);
    cudaMalloc((void **)&out_gpu, sizeof(DATA_TYPE) * NI * NL);
    cudaMemcpy(A_gpu, A, sizeof(DATA_TYPE) * NI * NK, cudaMemcpyHostToDevice);
    cudaMemcpy(B_gpu, B, sizeof(DATA_TYPE) * NK * NJ, cudaMemcpyHostToDevice);
    cudaMemcpy(D_gpu, D, sizeof(DATA_TYPE) * NJ * NL, cudaMemcpyHostToDevice);
    dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
    dim3 grid1((size_t)ceil(((float)NJ) / ((float)block.x)), (size_t)ceil(((float)NI) / ((float)block.y)));
    dim3 grid2((size_t)ceil(((float)NL) / ((float)block.x)), (size_t)ceil(((float)NI) / ((float)block.y)));
    double t_start = rtclock();
    mm2_kernel1<<<grid1, block>>>(A_gpu, B_gpu, C_gpu);
    cudaThreadSynchronize();
    mm2_kernel2<<<grid2, block>>>(C_gpu, D_gpu, out_gpu);
    cudaThreadSynchronize();
    double t_end = rtclock();
    fprintf(stderr, "GPU Runtime: %0.6lfs\n", t_end - t_start);
    cudaMemcpy(E_gpu, out_gpu, sizeof(DATA_TYPE) * NI * NL, cudaMemcpyDeviceToHost);
    multiply(A, B, C, NI, NK, NJ);
    multiply(C, D, E, NI, NJ, NL);
    int fail = countBeyond(E, E_gpu, NI * NL, PERCENT_DIFF_ERROR_THRESHOLD);
    cudaFree(A_gpu); cudaFree(B_gpu); cudaFree(C_gpu); cudaFree(D_gpu); cudaFree(out_gpu);
    free(A); free(B); free(C); free(D); free(E); free(E_gpu);
    return report(fail, PERCENT_DIFF_ERROR_THRESHOLD);
}
