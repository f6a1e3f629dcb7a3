// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Block matching by byte differences: 8- and 16-bit types, packed words, __usad and __umul24, two-dimensional textures of bytes.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

texture<unsigned char, 2, cudaReadModeElementType> imgRef;
#define SEARCH 3
#define POSITIONS ((2 * SEARCH + 1) * (2 * SEARCH + 1))

__global__ void macroblocks(const unsigned char *current, unsigned short *sads, int width)
{
    int bx = blockIdx.x * 8, by = blockIdx.y * 8, pos = threadIdx.x;
    if (pos >= POSITIONS) return;
    int dx = pos % (2 * SEARCH + 1) - SEARCH, dy = pos / (2 * SEARCH + 1) - SEARCH;
    unsigned int sad = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
        {
            unsigned int a = current[__umul24(by + y, width) + bx + x], b = tex2D(imgRef, bx + x + dx, by + y + dy);
            sad = __usad(a, b, sad);
        }
    sads[(blockIdx.y * gridDim.x + blockIdx.x) * POSITIONS + pos] = (unsigned short)sad;
}

__global__ void best(const unsigned short *sads, char2 *vectors)
{
    __shared__ unsigned int least;
    if (threadIdx.x == 0) least = UINT_MAX;
    __syncthreads();
    for (int p = threadIdx.x; p < POSITIONS; p += blockDim.x) atomicMin(&least, (unsigned int)sads[blockIdx.x * POSITIONS + p] << 16 | p);
    __syncthreads();
    if (threadIdx.x == 0)
    {
        int p = least & 0xffff;
        vectors[blockIdx.x] = make_char2(p % (2 * SEARCH + 1) - SEARCH, p / (2 * SEARCH + 1) - SEARCH);
    }
}

int main()
{
    const int w = 40, h = 24, blocks = w / 8 * (h / 8);
    static unsigned char previous[h][w], current[h][w];
    static unsigned short sads[blocks * POSITIONS];
    static char2 vectors[blocks];
    int wrong = 0;
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) previous[y][x] = (x * x * 7 + y * 31 + x * y) % 251;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
        {
            int sx = x + 2, sy = y - 1;
            current[y][x] = previous[sy < 0 ? 0 : sy][sx >= w ? w - 1 : sx];
        }
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    unsigned char *d_current;
    unsigned short *d_sads;
    char2 *d_vectors;
    cudaMallocArray(&array, &desc, w, h);
    cudaMemcpyToArray(array, 0, 0, previous, sizeof previous, cudaMemcpyHostToDevice);
    imgRef.addressMode[0] = cudaAddressModeClamp;
    imgRef.addressMode[1] = cudaAddressModeClamp;
    cudaBindTextureToArray(imgRef, array);
    cudaMalloc((void **)&d_current, sizeof current);
    cudaMalloc((void **)&d_sads, sizeof sads);
    cudaMalloc((void **)&d_vectors, sizeof vectors);
    cudaMemcpy(d_current, current, sizeof current, cudaMemcpyHostToDevice);
    macroblocks<<<dim3(w / 8, h / 8), 64>>>(d_current, d_sads, w);
    best<<<blocks, 32>>>(d_sads, d_vectors);
    cudaMemcpy(sads, d_sads, sizeof sads, cudaMemcpyDeviceToHost);
    cudaMemcpy(vectors, d_vectors, sizeof vectors, cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        for (int p = 0; p < POSITIONS; p++)
        {
            int sum = 0;
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++)
                {
                    int cy = b / (w / 8) * 8 + y, cx = b % (w / 8) * 8 + x, ry = cy + p / 7 - SEARCH, rx = cx + p % 7 - SEARCH;
                    ry = ry < 0 ? 0 : ry >= h ? h - 1 : ry;
                    rx = rx < 0 ? 0 : rx >= w ? w - 1 : rx;
                    sum += abs(current[cy][cx] - previous[ry][rx]);
                }
            wrong += sads[b * POSITIONS + p] != sum;
        }
    for (int b = 0; b < blocks; b++) wrong += vectors[b].x != 2 || vectors[b].y != -1;
    wrong += cudaGetLastError() != cudaSuccess;
    cudaUnbindTexture(imgRef);
    cudaFreeArray(array);
    cudaFree(d_current); cudaFree(d_sads); cudaFree(d_vectors);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
