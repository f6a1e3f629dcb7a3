// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Words of a block cipher (XTEA) and a checksum: integers, rotations, 64-bit products, tables in constant memory.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>

__constant__ uint32_t key[4];
__constant__ uint32_t crcTable[256];

__host__ __device__ inline uint2 encipher(uint2 v, const uint32_t *k)
{
    uint32_t sum = 0, delta = 0x9E3779B9;
    for (unsigned i = 0; i < 32; i++)
    {
        v.x += (((v.y << 4) ^ (v.y >> 5)) + v.y) ^ (sum + k[sum & 3]);
        sum += delta;
        v.y += (((v.x << 4) ^ (v.x >> 5)) + v.x) ^ (sum + k[(sum >> 11) & 3]);
    }
    return v;
}

__global__ void encrypt(const uint2 *in, uint2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = encipher(in[i], key);
}

__global__ void checksums(const uint8_t *bytes, uint32_t *crc, uint64_t *hash, int length)
{
    int i = threadIdx.x;
    uint32_t c = ~0u;
    uint64_t h = 14695981039346656037ull;
    for (int k = 0; k < length; k++)
    {
        uint8_t b = bytes[i * length + k];
        c = crcTable[(c ^ b) & 255] ^ (c >> 8);
        h = (h ^ b) * 1099511628211ull;
    }
    crc[i] = ~c;
    hash[i] = h ^ __umul64hi(h, 0x9E3779B97F4A7C15ull) ^ __funnelshift_l(c, c, 7);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 300, wrong = 0, length = n * 8 / 32;
    uint32_t k[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f}, table[256], crc[32];
    uint64_t hash[32];
    uint2 *in = new uint2[n], *out = new uint2[n], *d_in, *d_out;
    for (uint32_t i = 0; i < 256; i++)
    {
        table[i] = i;
        for (int j = 0; j < 8; j++) table[i] = table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
    }
    for (int i = 0; i < n; i++) in[i] = make_uint2(i * 0x01000193u, ~i);
    in[0] = make_uint2(0x41424344, 0x45464748);
    cudaMemcpyToSymbol(key, k, sizeof k);
    cudaMemcpyToSymbol(crcTable, table, sizeof table);
    cudaMalloc(&d_in, n * sizeof(uint2));
    cudaMalloc(&d_out, n * sizeof(uint2));
    cudaMemcpy(d_in, in, n * sizeof(uint2), cudaMemcpyHostToDevice);
    encrypt<<<(n + 63) / 64, 64>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, n * sizeof(uint2), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
    {
        uint2 e = encipher(in[i], k);
        wrong += e.x != out[i].x || e.y != out[i].y;
    }
    // The published test vector of this key and text.
    wrong += out[0].x != 0x497df3d0u || out[0].y != 0x72612cb5u;
    checksums<<<1, 32>>>((const uint8_t *)d_out, (uint32_t *)d_in, (uint64_t *)((uint32_t *)d_in + 32), length);
    cudaMemcpy(crc, d_in, sizeof crc, cudaMemcpyDeviceToHost);
    cudaMemcpy(hash, (uint32_t *)d_in + 32, sizeof hash, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
    {
        uint32_t c = ~0u;
        uint64_t h = 14695981039346656037ull;
        for (int b = 0; b < length; b++)
        {
            uint8_t byte = ((const uint8_t *)out)[i * length + b];
            c = table[(c ^ byte) & 255] ^ (c >> 8);
            h = (h ^ byte) * 1099511628211ull;
        }
        uint64_t low = 0, m = 0x9E3779B97F4A7C15ull, a = h >> 32, b = h & 0xffffffff, e = m >> 32, f = m & 0xffffffff;
        low = (b * f >> 32) + (a * f & 0xffffffff) + (b * e & 0xffffffff);
        uint64_t high = a * e + (a * f >> 32) + (b * e >> 32) + (low >> 32);
        wrong += crc[i] != ~c || hash[i] != (h ^ high ^ (c << 7 | c >> 25));
    }
    wrong += cudaGetLastError() != cudaSuccess;
    cudaFree(d_in);
    cudaFree(d_out);
    delete[] in;
    delete[] out;
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
