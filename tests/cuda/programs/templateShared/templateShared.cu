// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Shared memory of templates: a struct that gives each type its own extern array, volatile sums of a warp without
// barriers, old shuffles of 64-bit values, unions and bit fields, tables of structures with a padded column.
#include <cstdio>
#include <cuda_runtime.h>

template <class T>
struct SharedMemory
{
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

template <>
struct SharedMemory<double>
{
    __device__ inline operator double *()
    {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};

template <class T, unsigned int block>
__global__ void reduce(const T *in, T *out, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    const unsigned int tid = threadIdx.x;
    T mine = 0;
    for (unsigned int i = tid; i < n; i += block) mine += in[i];
    sdata[tid] = mine;
    __syncthreads();
    if (block >= 128)
    {
        if (tid < 64) sdata[tid] = mine = mine + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32)
    {
        volatile T *smem = sdata;
        smem[tid] = mine = mine + smem[tid + 32];
        smem[tid] = mine = mine + smem[tid + 16];
        smem[tid] = mine = mine + smem[tid + 8];
        smem[tid] = mine = mine + smem[tid + 4];
        smem[tid] = mine = mine + smem[tid + 2];
        smem[tid] = mine = mine + smem[tid + 1];
    }
    if (tid == 0) *out = sdata[0];
}

union Bits
{
    float value;
    struct
    {
        unsigned int mantissa : 23, exponent : 8, sign : 1;
    } parts;
};

template <typename T>
class Tile
{
    T rows[8][33];

public:
    __device__ T &at(int row, int column) { return rows[row][column]; }
};

struct Particle
{
    float3 position;
    short kind;
    bool alive;
};

__global__ void __launch_bounds__(256) mix(float *out, double *sums)
{
    __shared__ Tile<Particle> tile;
    __shared__ Bits bits[32];
    __shared__ volatile int4 corner;
    const int x = threadIdx.x, y = threadIdx.y;
    tile.at(y, x).position = make_float3(x, y, x * y);
    tile.at(y, x).kind = x - y;
    tile.at(y, x).alive = (x + y) % 3 == 0;
    if (y == 0) bits[x].value = -1.0f * (1 << x % 8);
    if (x == 0 && y == 1) corner.z = 77;
    __syncthreads();
    const Particle &p = tile.at(7 - y, 31 - x);
    out[y * 32 + x] = p.position.z + p.kind + (p.alive ? 0.5f : 0) + bits[x].parts.exponent + bits[x].parts.sign + corner.z;
    double value = x + 0.25;
    long long wide = (1LL << 40) + x;
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down(value, offset);
    wide = __shfl_xor(wide, 5);
    if (__ballot(x > 3) == 0xfffffff0u && __all(wide >= 1LL << 40) && x == 0) sums[y] = value + (double)(wide - (1LL << 40));
}

template <class T>
int wrong_sum()
{
    T in[100], sum = 0, found, *device;
    for (int i = 0; i < 100; i++) sum += in[i] = (T)(i * 3);
    cudaMalloc(&device, sizeof in + sizeof(T));
    cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice);
    reduce<T, 64><<<1, 64, 64 * sizeof(T)>>>(device, device + 100, 100);
    cudaMemcpy(&found, device + 100, sizeof(T), cudaMemcpyDeviceToHost);
    int wrong = found != sum;
    reduce<T, 128><<<1, 128, 128 * sizeof(T)>>>(device, device + 100, 100);
    cudaMemcpy(&found, device + 100, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return wrong + (found != sum);
}

int main()
{
    int wrong = wrong_sum<int>() + wrong_sum<float>() + wrong_sum<double>() + wrong_sum<unsigned long long>();
    float *out, host[256];
    double *sums, host_sums[8];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&sums, sizeof host_sums);
    mix<<<1, dim3(32, 8)>>>(out, sums);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(host_sums, sums, sizeof host_sums, cudaMemcpyDeviceToHost);
    for (int y = 0; y < 8; y++)
    {
        for (int x = 0; x < 32; x++)
        {
            int px = 31 - x, py = 7 - y;
            wrong += host[y * 32 + x] != px * py + px - py + ((px + py) % 3 == 0 ? 0.5f : 0) + 127 + x % 8 + 1 + 77;
        }
        wrong += host_sums[y] != 496 + 8 + 5;
    }
    printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
