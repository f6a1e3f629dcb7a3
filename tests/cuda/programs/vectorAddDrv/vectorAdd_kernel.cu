// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* The device half of vectorAddDrv, compiled alone. */
extern "C" __global__ void VecAdd_kernel(const float *A, const float *B, float *C, int N)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < N)
        C[i] = A[i] + B[i];
}

__constant__ int offsets[4];
__device__ int counter;

extern "C" __global__ void CountFrom(int *out, char byte, short half, long long wide)
{
    extern __shared__ int scratch[];
    scratch[threadIdx.x] = offsets[threadIdx.x % 4] + byte + half;
    __syncthreads();
    out[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x] + (int)(wide >> 32);
    atomicAdd(&counter, 1);
}
