// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Every atomic function on its own word; CAS loops, 64 bits, double, shared memory. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(x) if ((x) != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError())); exit(1); }

__device__ double atomicAddByCas(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address, old = *address_as_ull, assumed;
    do
    {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ float atomicMaxFloat(float *address, float val)
{
    int *as_int = (int *)address, old = *as_int, assumed;
    while (__int_as_float(old) < val)
    {
        assumed = old;
        old = atomicCAS(as_int, assumed, __float_as_int(val));
        if (old == assumed) break;
    }
    return __int_as_float(old);
}

struct Words
{
    int add, sub, exch, max, min, cas, bits_and, bits_or, bits_xor;
    unsigned inc, dec, umax, umin;
    float sum, largest;
    unsigned long long ladd, lmax, lmin, lcas, lexch, lor;
    long long smax, smin;
    double dsum, dcas;
    int lock_count, shared_sum;
    unsigned long long shared_wide;
    double shared_double;
};

__device__ int mutex = 0;

__global__ void testKernel(Words *w)
{
    __shared__ int sum;
    __shared__ unsigned long long wide;
    __shared__ double real;
    const int tid = blockDim.x * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0) { sum = 0; wide = 0; real = 0; }
    __syncthreads();
    atomicAdd(&w->add, 10);
    atomicSub(&w->sub, 10);
    atomicExch(&w->exch, tid);
    atomicMax(&w->max, tid - 50);
    atomicMin(&w->min, -tid);
    atomicInc(&w->inc, 17);
    atomicDec(&w->dec, 137);
    atomicMax(&w->umax, 0x80000000u + tid);
    atomicMin(&w->umin, 0xf0000000u - tid);
    atomicCAS(&w->cas, tid - 1, tid);
    atomicAnd(&w->bits_and, 2 * tid + 7);
    atomicOr(&w->bits_or, 1 << (tid % 32));
    atomicXor(&w->bits_xor, tid);
    atomicAdd(&w->sum, 0.5f);
    atomicMaxFloat(&w->largest, tid * 0.25f);
    atomicAdd(&w->ladd, 0x100000001ull);
    atomicMax(&w->lmax, 1ull << (tid % 60));
    atomicMin(&w->lmin, ~0ull >> (tid % 60));
    atomicMax(&w->smax, (long long)tid - 1000000000000ll);
    atomicMin(&w->smin, -(long long)tid * 10000000000ll);
    atomicCAS(&w->lcas, 77ull, (unsigned long long)tid + (1ull << 40));
    atomicExch(&w->lexch, (unsigned long long)tid << 32 | tid);
    atomicOr(&w->lor, 1ull << (tid % 64));
    atomicAdd(&w->dsum, 0.25);
    if (tid % 8 == 0) atomicAddByCas(&w->dcas, 1.5);
    // One thread of each warp at a time takes the lock.
    if (threadIdx.x % 32 == 0)
    {
        while (atomicCAS(&mutex, 0, 1) != 0) {}
        __threadfence();
        *(volatile int *)&w->lock_count += 1;
        __threadfence();
        atomicExch(&mutex, 0);
    }
    atomicAdd(&sum, tid);
    atomicAdd(&wide, 1ull << 33);
    atomicAdd(&real, 0.125);
    __syncthreads();
    if (threadIdx.x == 0)
    {
        atomicAdd(&w->shared_sum, sum);
        atomicAdd(&w->shared_wide, wide);
        atomicAdd(&w->shared_double, real);
    }
}

int main(int argc, char **argv)
{
    const int blocks = 2, threads = 64, n = blocks * threads;
    Words h, *d;
    memset(&h, 0, sizeof h);
    h.bits_and = 0xff; h.cas = 0; h.lmin = ~0ull; h.umin = ~0u; h.lcas = 77; h.smax = -(1ll << 62); h.largest = -1;
    CHECK(cudaMalloc((void **)&d, sizeof h));
    CHECK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
    testKernel<<<blocks, threads>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    int wrong = 0;
#define EXPECT(what) if (!(what)) { printf("not so: %s\n", #what); wrong++; }
    EXPECT(h.add == 10 * n)
    EXPECT(h.sub == -10 * n)
    EXPECT(h.exch >= 0 && h.exch < n)
    EXPECT(h.max == n - 1 - 50)
    EXPECT(h.min == -(n - 1))
    unsigned inc = 0, dec = 0;
    int all_and = 0xff, all_xor = 0;
    for (int i = 0; i < n; i++)
    {
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
        all_and &= 2 * i + 7;
        all_xor ^= i;
    }
    EXPECT(h.inc == inc)
    EXPECT(h.dec == dec)
    EXPECT(h.umax == 0x80000000u + n - 1)
    EXPECT(h.umin == 0xf0000000u - (n - 1))
    EXPECT(h.cas >= 0 && h.cas < n)
    EXPECT(h.bits_and == all_and)
    EXPECT(h.bits_or == -1)
    EXPECT(h.bits_xor == all_xor)
    EXPECT(h.sum == 0.5f * n)
    EXPECT(h.largest == (n - 1) * 0.25f)
    EXPECT(h.ladd == 0x100000001ull * n)
    EXPECT(h.lmax == 1ull << 59)
    EXPECT(h.lmin == ~0ull >> 59)
    EXPECT(h.smax == n - 1 - 1000000000000ll)
    EXPECT(h.smin == -(n - 1) * 10000000000ll)
    EXPECT(h.lcas >= (1ull << 40) && h.lcas < (1ull << 40) + n)
    EXPECT((h.lexch >> 32) == (h.lexch & 0xffffffffu) && (h.lexch >> 32) < n)
    EXPECT(h.lor == ~0ull)
    EXPECT(h.dsum == 0.25 * n)
    EXPECT(h.dcas == 1.5 * (n / 8))
    EXPECT(h.lock_count == n / 32)
    EXPECT(h.shared_sum == n * (n - 1) / 2)
    EXPECT(h.shared_wide == (unsigned long long)n << 33)
    EXPECT(h.shared_double == 0.125 * n)
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
