// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// One program of files that include each other: C files, kernels, and constants that describe all of a kernel's data.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include "define.c"

params_common common;
__constant__ params_common d_common;
params_unique unique[ALL_POINTS];
__constant__ params_unique d_unique[ALL_POINTS];

#include "timer.c"
#include "kernel.cu"

int main(int argc, char *argv[])
{
    long long begin = get_time();
    int frames = argc > 1 ? atoi(argv[1]) : 2;
    common.in_rows = 8;
    common.in_cols = 8;
    common.in_elem = common.in_rows * common.in_cols;
    common.in_mem = sizeof(fp) * common.in_elem;
    common.alpha = 0.88;
    cudaMemcpyToSymbol(d_common, &common, sizeof(params_common));

    fp *d_frame, *frame = (fp *)malloc(common.in_mem), *result = (fp *)malloc(common.in_mem);
    cudaMalloc((void **)&d_frame, common.in_mem);
    for (int i = 0; i < ALL_POINTS; i++)
    {
        unique[i].point_no = i;
        unique[i].d_frame = d_frame;
        cudaMalloc((void **)&unique[i].d_mean, common.in_mem);
        cudaMemset(unique[i].d_mean, 0, common.in_mem);
    }
    cudaMemcpyToSymbol(d_unique, &unique, sizeof(params_unique) * ALL_POINTS);

    dim3 threads, blocks;
    threads.x = NUMBER_THREADS;
    threads.y = 1;
    blocks.x = ALL_POINTS;
    blocks.y = 1;
    fp expected[ALL_POINTS][64] = {{0}};
    for (common.frame_no = 0; common.frame_no < frames; common.frame_no++)
    {
        for (int i = 0; i < common.in_elem; i++) frame[i] = (i * 7 + common.frame_no) % 11;
        cudaMemcpy(d_frame, frame, common.in_mem, cudaMemcpyHostToDevice);
        // The number alone, where it stands in the structure.
        cudaMemcpyToSymbol(d_common, &common.frame_no, sizeof common.frame_no, (char *)&common.frame_no - (char *)&common);
        kernel<<<blocks, threads>>>();
        for (int p = 0; p < ALL_POINTS; p++)
            for (int i = 0; i < common.in_elem; i++)
            {
                fp value = frame[common.in_elem - 1 - i] + p + common.frame_no;
                expected[p][i] = common.alpha * expected[p][i] + (1.0f - common.alpha) * value;
            }
    }
    int wrong = 0;
    for (int p = 0; p < ALL_POINTS; p++)
    {
        cudaMemcpy(result, unique[p].d_mean, common.in_mem, cudaMemcpyDeviceToHost);
        for (int i = 0; i < common.in_elem; i++)
        {
            fp difference = result[i] - expected[p][i];
            wrong += !(difference < 1e-4f && difference > -1e-4f);
        }
    }
    params_common back;
    cudaMemcpyFromSymbol(&back, d_common, sizeof back);
    common.frame_no--;
    wrong += memcmp(&back, &common, sizeof back) != 0;
    printf("%d frames, %d wrong, %s\n", frames, wrong, cudaGetErrorString(cudaGetLastError()));
    if (get_time() < begin) wrong++;
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
