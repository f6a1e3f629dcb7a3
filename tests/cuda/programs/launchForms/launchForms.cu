// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The forms that a launch and a kernel take: namespaces, extern "C", templates of several kinds of parameters, structures
// and scalars of all widths by value, pointers to arrays, default arguments, names from headers of other systems.
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include <assert.h>
#include <stdio.h>

namespace outer
{
namespace
{
template <typename T, int N, bool NEGATE = false>
__global__ void __launch_bounds__(N) fill(T *out, T value)
{
    out[blockIdx.x * N + threadIdx.x] = NEGATE ? -value : value;
}
}  // namespace
static __global__ void add(int *out, int by = 5) { out[threadIdx.x] += by; }
}  // namespace outer

extern "C" __global__ void plain_name(int *out) { out[threadIdx.x] *= 2; }

enum class Mode : unsigned char { first = 3, second = 9 };

struct Part
{
    char tag;
    double weight;
    short codes[3];
};

struct Parameters
{
    int *out;
    int3 size;
    Part part;
    bool on;
    long long wide;
    float4 colour;
    Mode mode;
};

__global__ void by_value(const Parameters p, bool b, char c, unsigned short s, long long l, float3 f, double d, Mode m,
                         const int *nothing)
{
    assert(nothing == NULL);
    int sum = p.size.z + p.part.tag + (int)(p.part.weight * 4) + p.part.codes[2] + p.on + (int)(p.wide >> 32) + (int)p.colour.w +
              (int)p.mode;
    p.out[threadIdx.x] = sum * 1000 + b + c + s + (int)(l >> 33) + (int)f.z + (int)(d * 2) + (int)m;
}

__global__ void rows(int (*matrix)[8], uint3 *where)
{
    matrix[threadIdx.y][threadIdx.x] = threadIdx.y * 10 + threadIdx.x + 100 * blockIdx.z;
    if (threadIdx.x + threadIdx.y == 0) where[blockIdx.z] = blockIdx;
}

typedef void (*kernel_t)(int *, int);

#define WRONG_UNLESS(condition) do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); wrong++; } } while (0)

int main()
{
    int *out, host[64], wrong = 0;
    cudaError_t status = cudaMalloc((void **)&out, sizeof host);
    if (status != cudaSuccess) goto Error;
    {
        const size_t blocks = 2;
        outer::fill<int, 32><<<blocks, 32>>>(out, 7);
        outer::fill<int, 16, true> <<< 1u, 16 >>> (out, 7);
        outer::add<<<dim3(1), dim3(64, 1, 1), 0, cudaStreamLegacy>>>(out);
        plain_name<<<1, 64, 0, cudaStreamPerThread>>>(out);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        WRONG_UNLESS(host[15] == -4 && host[16] == 24 && host[63] == 24);

        kernel_t chosen = outer::add;
        chosen<<<1, 32>>>(out, 100);
        int by = 1000;
        void *arguments[] = {&out, &by};
        cudaLaunchKernel((const void *)outer::add, dim3(1), dim3(32), arguments, 0, 0);
        cudaLaunchKernel(chosen, 1, 32, arguments, 0, cudaStreamLegacy);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        WRONG_UNLESS(host[31] == 2124 && host[32] == 24);

        Parameters p = {out, {1, 2, 3}, {'A', 2.25, {7, 8, 9}}, true, 5LL << 32, {0, 0, 0, 6}, Mode::second};
        by_value<<<1, 64>>>(p, true, 'B', 60000, 11LL << 33, make_float3(1, 2, 4), 1.5, Mode::first, NULL);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        WRONG_UNLESS(host[63] == (3 + 'A' + 9 + 9 + 1 + 5 + 6 + 9) * 1000 + 1 + 'B' + 60000 + 11 + 4 + 3 + 3);

        uint3 *where, host_where[3];
        cudaMalloc(&where, sizeof host_where);
        rows<<<dim3(1, 1, 3), dim3(8, 8)>>>((int(*)[8])out, where);
        cudaMemcpy(host_where, where, sizeof host_where, cudaMemcpyDeviceToHost);
        WRONG_UNLESS(host_where[2].z == 2 && host_where[2].x == 0);
        rows<<<1, dim3(8, 8)>>>((int(*)[8])out, where);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        WRONG_UNLESS(host[10] == 12 && host[63] == 77);

        cudaFuncAttributes attributes;
        cudaFuncSetCacheConfig(outer::fill<int, 32>, cudaFuncCachePreferL1);
        cudaFuncSetCacheConfig(plain_name, cudaFuncCachePreferShared);
        WRONG_UNLESS(cudaFuncGetAttributes(&attributes, by_value) == cudaSuccess && attributes.numRegs > 0);
        plain_name<<<0, 32>>>(out);
        WRONG_UNLESS(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
        WRONG_UNLESS(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
    }
    status = cudaDeviceSynchronize();
Error:
    cudaFree(out);
    WRONG_UNLESS(status == cudaSuccess);
    printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
