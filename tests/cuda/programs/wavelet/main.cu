// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A step of a wavelet transform: class templates in shared memory, functors, kernels that only call a static member.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <getopt.h>
#include <error.h>
#include <sys/types.h>
#include "transform.h"

struct picture
{
    int width, height;
    int *pixels;
};

int main(int argc, char **argv)
{
    static struct option long_options[] = {
        {"width", required_argument, 0, 'w'}, {"height", required_argument, 0, 'h'}, {0, 0, 0, 0}};
    struct picture p = {40, 21, NULL};
    int option;
    while ((option = getopt_long(argc, argv, "w:h:", long_options, NULL)) != -1)
    {
        switch (option)
        {
        case 'w': p.width = atoi(optarg); break;
        case 'h': p.height = atoi(optarg); break;
        default: return -1;
        }
    }
    const size_t bytes = p.width * p.height * sizeof(int);
    p.pixels = (int *)malloc(bytes);
    for (int i = 0; i < p.width * p.height; i++) p.pixels[i] = i * i % 251;
    int *in, *out, *result = (int *)malloc(bytes), *back = (int *)malloc(bytes);
    cudaMalloc((void **)&in, bytes);
    cudaMalloc((void **)&out, bytes);
    cudaMemcpy(in, p.pixels, bytes, cudaMemcpyHostToDevice);
    wavelet::forward<16, 8>(in, out, p.width, p.height);
    if (cudaGetLastError() != cudaSuccess) error(1, 0, "forward");
    cudaMemcpy(result, out, bytes, cudaMemcpyDeviceToHost);
    wavelet::reverse<16, 8>(out, in, p.width, p.height);
    cudaMemcpy(back, in, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
        {
            // Blocks are transformed by themselves: an odd column loses the mean of its neighbours in the block.
            const int *row = p.pixels + y * p.width;
            int expected = row[x];
            if (x % 2)
            {
                int right = x % 16 == 15 || x + 1 == p.width ? x - 1 : x + 1;
                expected -= (row[x - 1] + row[right]) >> 1;
            }
            wrong += result[y * p.width + x] != expected;
            wrong += back[y * p.width + x] != row[x];
        }
    printf("%d x %d, %d wrong\n", p.width, p.height, wrong);
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
