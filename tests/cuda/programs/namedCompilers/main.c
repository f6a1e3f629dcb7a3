/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
/* A C program with threads, compiled and linked by the compilers that its Makefile names. */
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "device.h"

static void *run(void *samples)
{
    smooth(samples);
    return NULL;
}

int main(int argc, char **argv)
{
    struct samples *s;
    struct cudaDeviceProp properties;
    pthread_t thread;
    int wrong = 0;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return EXIT_FAILURE;
    if (cudaMallocHost((void **)&s, sizeof *s) != cudaSuccess) return EXIT_FAILURE;
    s->count = N;
    s->scale = 0.1;
    s->total = 1LL << 40;
    for (int i = 0; i < N; i++) s->values[i] = (float)(i * i % 17);
    pthread_create(&thread, NULL, run, s);
    pthread_join(thread, NULL);
    float *restrict values = s->values;
    for (int i = 0; i < N; i++)
    {
        /* The same operations as the kernel's, each rounded to a float. */
        float expected = (float)(i * i % 17) * (float)0.1 + half_of(i);
        wrong += values[i] != expected;
    }
    wrong += s->total != (1LL << 40) + N;
    printf("%s, %d wrong\n", properties.major >= 2 ? "a device" : "an old device", wrong);
    cudaFreeHost(s);
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
