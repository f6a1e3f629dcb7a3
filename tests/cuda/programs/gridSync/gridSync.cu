// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Conjugate gradients' inner part in one cooperative launch, where the device can; tiles and coalesced groups everywhere.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

#define CHECK(x) do { cudaError_t e = (x); if (e) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

__global__ void smooth(float *a, float *b, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < steps; s++)
    {
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            b[i] = 0.5f * a[i] + 0.25f * (a[i ? i - 1 : i] + a[i + 1 < n ? i + 1 : i]);
        cg::sync(grid);
        float *t = a; a = b; b = t;
    }
}

template <int SIZE> __global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<SIZE> tile = cg::tiled_partition<SIZE>(block);
    int v = block.thread_rank();
    for (int offset = SIZE / 2; offset > 0; offset /= 2) v += tile.shfl_xor(v, offset);
    bool anyOdd = tile.any(threadIdx.x % 2), allSmall = tile.all(threadIdx.x < 40);
    out[threadIdx.x] = v * 4 + anyOdd * 2 + allSmall;
}

__device__ int atomicAggInc(int *ctr)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(ctr, active.size());
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void filter(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[atomicAggInc(count)] = in[i];
}

template <int SIZE> int testTiles(int *d)
{
    int h[64], wrong = 0;
    tiles<SIZE><<<1, 64>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
    {
        int first = i / SIZE * SIZE, sum = 0;
        for (int k = 0; k < SIZE; k++) sum += first + k;
        wrong += h[i] != sum * 4 + (SIZE > 1) * 2 + (first + SIZE <= 40);
    }
    return wrong;
}

int main()
{
    const int n = 300;
    int in[n], out[n], count = 0, *d_in, *d_out, wrong = 0;
    CHECK(cudaMalloc(&d_in, (n + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    wrong += testTiles<32>(d_in) + testTiles<16>(d_in) + testTiles<4>(d_in);
    printf("tiles: %d wrong\n", wrong);
    for (int i = 0; i < n; i++) in[i] = i * 7 % 50;
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_in + n, 0, sizeof(int)));
    filter<<<5, 64>>>(d_in, d_out, d_in + n, n);
    CHECK(cudaMemcpy(&count, d_in + n, sizeof count, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    int expected = 0, sum = 0;
    for (int i = 0; i < n; i++) if (in[i] % 3 == 0) { expected++; sum += in[i]; }
    for (int i = 0; i < count && i < n; i++) sum -= out[i];
    wrong += count != expected || sum != 0;
    printf("filter: %d of %d, %d wrong so far\n", count, expected, wrong);

    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    float a[n], b[n], *d_a = (float *)d_in, *d_b = (float *)d_out;
    for (int i = 0; i < n; i++) a[i] = i % 10;
    CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
    int size = n, steps = 4;
    void *args[] = {&d_a, &d_b, &size, &steps};
    cudaError_t launched = cudaLaunchCooperativeKernel((void *)smooth, dim3(2), dim3(64), args, 0, 0);
    if (!prop.cooperativeLaunch)
    {
        printf("no cooperative launch: %s\n", cudaGetErrorName(launched));
        wrong += launched == cudaSuccess;
    }
    else
    {
        CHECK(launched);
        float got[n];
        CHECK(cudaMemcpy(got, d_a, sizeof got, cudaMemcpyDeviceToHost));
        for (int s = 0; s < steps; s++)
        {
            for (int i = 0; i < n; i++) b[i] = 0.5f * a[i] + 0.25f * (a[i ? i - 1 : i] + a[i + 1 < n ? i + 1 : i]);
            for (int i = 0; i < n; i++) a[i] = b[i];
        }
        for (int i = 0; i < n; i++) wrong += !(got[i] > a[i] - 1e-5f && got[i] < a[i] + 1e-5f);
        wrong += cudaLaunchCooperativeKernel((void *)smooth, dim3(100000), dim3(64), args, 0, 0) != cudaErrorCooperativeLaunchTooLarge;
        cudaGetLastError();
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
