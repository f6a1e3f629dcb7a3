// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// 2-D convolution: a table in constant memory, a tile with its halo in shared memory.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda.h>

#define cudaSafe(e) cudaSafeCall(e, __FILE__, __LINE__)
inline void cudaSafeCall(cudaError err, const char *file, const int line)
{
    if (cudaSuccess != err)
    {
        fprintf(stderr, "cudaSafeCall() failed at %s:%i : %s\n", file, line, cudaGetErrorString(err));
        exit(-1);
    }
}

#define MASK_WIDTH 5
#define MASK_RADIUS (MASK_WIDTH / 2)
#define TILE_WIDTH 16
#define W (TILE_WIDTH + MASK_WIDTH - 1)
#define clamp(x) (min(max((x), 0.0f), 1.0f))

__constant__ float M[MASK_WIDTH * MASK_WIDTH];
__constant__ int channelOrder[3] = {2, 0, 1};

__global__ void convolution(float *I, float *P, int channels, int width, int height)
{
    __shared__ float tile[W][W];
    for (int which = 0; which < channels; which++)
    {
        int k = channelOrder[which];
        for (int dest = threadIdx.y * TILE_WIDTH + threadIdx.x; dest < W * W; dest += TILE_WIDTH * TILE_WIDTH)
        {
            int destY = dest / W, destX = dest % W;
            int srcY = blockIdx.y * TILE_WIDTH + destY - MASK_RADIUS, srcX = blockIdx.x * TILE_WIDTH + destX - MASK_RADIUS;
            if (srcY >= 0 && srcY < height && srcX >= 0 && srcX < width)
                tile[destY][destX] = I[(srcY * width + srcX) * channels + k];
            else
                tile[destY][destX] = 0;
        }
        __syncthreads();
        float accum = 0;
        for (int y = 0; y < MASK_WIDTH; y++)
            for (int x = 0; x < MASK_WIDTH; x++)
                accum += tile[threadIdx.y + y][threadIdx.x + x] * M[y * MASK_WIDTH + x];
        int y = blockIdx.y * TILE_WIDTH + threadIdx.y, x = blockIdx.x * TILE_WIDTH + threadIdx.x;
        if (y < height && x < width) P[(y * width + x) * channels + k] = clamp(accum);
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 37, height = argc > 2 ? atoi(argv[2]) : 21, channels = 3;
    size_t size = width * height * channels * sizeof(float);
    float mask[MASK_WIDTH * MASK_WIDTH], *in = (float *)malloc(size), *out = (float *)malloc(size), *dIn, *dOut;
    for (int i = 0; i < MASK_WIDTH * MASK_WIDTH; i++) mask[i] = (1 + i % 4) / 60.0f;
    for (int i = 0; i < width * height * channels; i++) in[i] = (i * 37 % 101) / 100.0f;
    cudaSafe(cudaMalloc((void **)&dIn, size));
    cudaSafe(cudaMalloc((void **)&dOut, size));
    cudaSafe(cudaMemcpy(dIn, in, size, cudaMemcpyHostToDevice));
    cudaSafe(cudaMemcpyToSymbol(M, mask, sizeof(mask)));
    float last = 0.125f;  // A second copy at an offset replaces one weight.
    cudaSafe(cudaMemcpyToSymbol(M, &last, sizeof(float), (MASK_WIDTH * MASK_WIDTH - 1) * sizeof(float)));
    mask[MASK_WIDTH * MASK_WIDTH - 1] = last;
    dim3 grid((width - 1) / TILE_WIDTH + 1, (height - 1) / TILE_WIDTH + 1), block(TILE_WIDTH, TILE_WIDTH, 1);
    convolution<<<grid, block>>>(dIn, dOut, channels, width, height);
    cudaSafe(cudaThreadSynchronize());
    cudaSafe(cudaMemcpy(out, dOut, size, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int k = 0; k < channels; k++)
            {
                double sum = 0;
                for (int i = 0; i < MASK_WIDTH; i++)
                    for (int j = 0; j < MASK_WIDTH; j++)
                    {
                        int v = y + i - MASK_RADIUS, u = x + j - MASK_RADIUS;
                        if (v >= 0 && v < height && u >= 0 && u < width) sum += in[(v * width + u) * channels + k] * mask[i * MASK_WIDTH + j];
                    }
                sum = fmin(fmax(sum, 0), 1);
                if (!(fabs(sum - out[(y * width + x) * channels + k]) < 1e-5)) wrong++;
            }
    cudaSafe(cudaFree(dIn));
    cudaSafe(cudaFree(dOut));
    cudaSafe(cudaThreadExit());
    printf("%d values wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong ? -1 : 0;
}
