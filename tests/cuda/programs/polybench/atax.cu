// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// y = A' (A x). The element type is the compiler's: -DDATA_TYPE=float.
#include <assert.h>
#include <stdio.h>
#include <cuda.h>
#include "polybenchUtilFuncts.h"
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#define THRESHOLD (sizeof(DATA_TYPE) == 8 ? 1e-9 : 0.01)
#define NX 40
#define NY 56
#ifndef M_PI
#define M_PI 3.14159
#endif

void GPU_argv_init()
{
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, 0);
    printf("setting device 0 with name %s\n", deviceProp.name);
    cudaSetDevice(0);
}

__global__ void atax_kernel1(DATA_TYPE *A, DATA_TYPE *x, DATA_TYPE *tmp)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < NX)
        for (int j = 0; j < NY; j++) tmp[i] += A[i * NY + j] * x[j];
}

__global__ void atax_kernel2(DATA_TYPE *A, DATA_TYPE *y, DATA_TYPE *tmp)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < NY)
        for (int i = 0; i < NX; i++) y[j] += A[i * NY + j] * tmp[i];
}

int main(int argc, char **argv)
{
    DATA_TYPE *A = (DATA_TYPE *)malloc(NX * NY * sizeof(DATA_TYPE)), *x = (DATA_TYPE *)malloc(NY * sizeof(DATA_TYPE));
    DATA_TYPE *y = (DATA_TYPE *)calloc(NY, sizeof(DATA_TYPE)), *y_gpu = (DATA_TYPE *)malloc(NY * sizeof(DATA_TYPE));
    DATA_TYPE *tmp = (DATA_TYPE *)calloc(NX, sizeof(DATA_TYPE)), *dA, *dx, *dy, *dtmp;
    for (int j = 0; j < NY; j++) x[j] = j * M_PI;
    for (int i = 0; i < NX; i++) for (int j = 0; j < NY; j++) A[i * NY + j] = ((DATA_TYPE)i * (j)) / NX;
    GPU_argv_init();
    cudaMalloc((void **)&dA, sizeof(DATA_TYPE) * NX * NY);
    cudaMalloc((void **)&dx, sizeof(DATA_TYPE) * NY);
    cudaMalloc((void **)&dy, sizeof(DATA_TYPE) * NY);
    cudaMalloc((void **)&dtmp, sizeof(DATA_TYPE) * NX);
    cudaMemcpy(dA, A, sizeof(DATA_TYPE) * NX * NY, cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x, sizeof(DATA_TYPE) * NY, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, sizeof(DATA_TYPE) * NY, cudaMemcpyHostToDevice);
    cudaMemcpy(dtmp, tmp, sizeof(DATA_TYPE) * NX, cudaMemcpyHostToDevice);
    atax_kernel1<<<(NX + 31) / 32, 32>>>(dA, dx, dtmp);
    cudaThreadSynchronize();
    atax_kernel2<<<(NY + 31) / 32, 32>>>(dA, dy, dtmp);
    cudaThreadSynchronize();
    cudaMemcpy(y_gpu, dy, sizeof(DATA_TYPE) * NY, cudaMemcpyDeviceToHost);
    for (int i = 0; i < NX; i++)
    {
        for (int j = 0; j < NY; j++) tmp[i] += A[i * NY + j] * x[j];
        for (int j = 0; j < NY; j++) y[j] += A[i * NY + j] * tmp[i];
    }
    int fail = countBeyond(y, y_gpu, NY, THRESHOLD);
    cudaFree(dA); cudaFree(dx); cudaFree(dy); cudaFree(dtmp);
    free(A); free(x); free(y); free(y_gpu); free(tmp);
    return report(fail, THRESHOLD);
}
