// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// extern __shared__ arrays of several types, carved into parts, beside static ones; sizes that only the launch knows.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void carve(double *out, int nd, int nf, int nc)
{
    extern __shared__ double array[];
    __shared__ int fixed[16];
    double *d = array;
    float *f = (float *)(d + nd);
    unsigned char *c = (unsigned char *)(f + nf);
    int t = threadIdx.x;
    if (t < 16) fixed[t] = 1000 * t;
    if (t < nd) d[t] = t + 0.5;
    if (t < nf) f[t] = t * 2.0f;
    if (t < nc) c[t] = t * 7;
    __syncthreads();
    out[t] = d[nd - 1 - t % nd] + f[t % nf] + c[t % nc] + fixed[15 - t % 16];
}

// Three kernels' arrays of one name would clash in one file: each its own.
__global__ void chars(int *out)
{
    extern __shared__ char bytes[];
    bytes[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    out[threadIdx.x] = bytes[(threadIdx.x + 1) % blockDim.x];
}

struct Pair
{
    short key;
    float value;
};

__global__ void pairs(int *out)
{
    extern __shared__ Pair table[];
    table[threadIdx.x].key = threadIdx.x;
    table[threadIdx.x].value = threadIdx.x * 0.5f;
    __syncthreads();
    Pair other = table[blockDim.x - 1 - threadIdx.x];
    out[threadIdx.x] = other.key * 100 + int(other.value * 2);
}

__device__ int two_arrays_are_one(int t)
{
    extern __shared__ int first[];
    extern __shared__ float second[];
    first[t] = __float_as_int(1.0f + t);
    __syncthreads();
    return (int)second[t];
}

__global__ void alias(int *out) { out[threadIdx.x] = two_arrays_are_one(threadIdx.x); }

__global__ void words(int *out, int n)
{
    extern __shared__ int big[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) big[i] = i;
    __syncthreads();
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += big[n - 1 - i];
    atomicAdd(out, sum);
}

#define SAFE(x) do { cudaError_t e = (x); if (e) { printf("%d %s\n", __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

int main()
{
    int wrong = 0, i[64], *di;
    double r[64], *dr;
    SAFE(cudaMalloc((void **)&dr, sizeof r));
    di = (int *)dr;
    int nd = 20, nf = 33, nc = 50;
    carve<<<1, 64, nd * sizeof(double) + nf * sizeof(float) + nc>>>(dr, nd, nf, nc);
    SAFE(cudaMemcpy(r, dr, sizeof r, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++) wrong += r[t] != (nd - 1 - t % nd + 0.5) + t % nf * 2.0 + (t % nc * 7 & 255) + 1000 * (15 - t % 16);
    printf("three parts: %d wrong\n", wrong);
    chars<<<1, 64, 64>>>(di);
    SAFE(cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++) wrong += i[t] != (t + 1) % 64 + 1;
    pairs<<<1, 64, 64 * sizeof(Pair)>>>(di);
    SAFE(cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++) wrong += i[t] != (63 - t) * 101;
    alias<<<1, 64, 64 * sizeof(float)>>>(di);
    SAFE(cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++) wrong += i[t] != 1 + t;
    printf("%d wrong so far\n", wrong);
    // Sizes of a launch: small, then large, then more than there is.
    for (int n : {10, 3000})
    {
        int sum;
        SAFE(cudaMemset(di, 0, sizeof(int)));
        words<<<2, 32, n * sizeof(int)>>>(di, n);
        SAFE(cudaMemcpy(&sum, di, sizeof sum, cudaMemcpyDeviceToHost));
        wrong += sum != n * (n - 1);
    }
    words<<<1, 32, 1 << 20>>>(di, 32);
    cudaError_t error = cudaGetLastError();
    printf("a megabyte: %s\n", cudaGetErrorString(error));
    wrong += error != cudaErrorInvalidValue;
    chars<<<1, 4096, 4096>>>(di);
    error = cudaGetLastError();
    printf("4096 threads: %s\n", cudaGetErrorString(error));
    wrong += error != cudaErrorInvalidConfiguration;
    SAFE(cudaDeviceSynchronize());
    SAFE(cudaFree(dr));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
