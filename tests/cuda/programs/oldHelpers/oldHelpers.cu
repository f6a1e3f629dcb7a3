// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// A program of CUDA 2: cutil.h's names for checks, timers, arguments, pictures and comparisons.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <cutil_inline.h>
#include <cutil.h>
#include <shrUtils.h>
#include <shrQATest.h>

#define SDATA(index) CUT_BANK_CHECKER(sdata, index)

__global__ void invert(unsigned char *picture, unsigned int n)
{
    __shared__ unsigned char sdata[64];
    const unsigned int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
    if (i < n) SDATA(threadIdx.x) = picture[i];
    __syncthreads();
    if (i < n) picture[i] = 255 - SDATA(threadIdx.x);
}

extern "C" void invertGold(unsigned char *picture, unsigned int n)
{
    for (unsigned int i = 0; i < n; ++i) picture[i] = 255 - picture[i];
}

int main(int argc, char **argv)
{
    shrQAStart(argc, argv);
    CUT_DEVICE_INIT(argc, argv);
    unsigned int timer = 0;
    CUT_SAFE_CALL(cutCreateTimer(&timer));
    cutilCheckError(cutStartTimer(timer));

    int width = 20;
    float limit = 0;
    char *name = NULL;
    cutGetCmdLineArgumenti(argc, (const char **)argv, "width", &width);
    const bool limited = cutGetCmdLineArgumentf(argc, (const char **)argv, "limit", &limit);
    cutGetCmdLineArgumentstr(argc, (const char **)argv, "name", &name);
    shrLog("%d pixels wide, called %s, limit %g\n", width, name ? name : "nothing", limited ? limit : -1.0);
    CUTBoolean good = CUTTrue;
    if (argc > 1) good = good && limited && limit == 2.5f && name && strcmp(name, "sky") == 0;
    cutFree(name);

    const unsigned int n = width * 7;
    unsigned char *first = (unsigned char *)malloc(n);
    for (unsigned int i = 0; i < n; ++i) first[i] = (unsigned char)(i * 37);
    CUT_CONDITION(cutSavePGMub("first.pgm", first, width, 7));
    char *path = cutFindFilePath("first.pgm", argv[0]);
    if (path == 0) exit(EXIT_FAILURE);
    unsigned char *picture = NULL;
    unsigned int w = 0, h = 0;
    cutilCheckError(cutLoadPGMub(path, &picture, &w, &h));
    good = good && w == (unsigned int)width && h == 7 && cutCompareub(first, picture, n);

    unsigned char *device;
    CUDA_SAFE_CALL(cudaMalloc((void **)&device, n));
    cutilSafeCall(cudaMemcpy(device, picture, n, cudaMemcpyHostToDevice));
    invert<<<(n + 63) / 64, 64>>>(device, n);
    CUT_CHECK_ERROR("invert");
    cutilSafeThreadSync();
    cutilCheckMsg("waiting");
    CUDA_SAFE_CALL(cudaMemcpy(picture, device, n, cudaMemcpyDeviceToHost));
    good = good && !cutCompareub(first, picture, n);
    invertGold(first, n);
    good = good && cutCompareub(first, picture, n) && cutCompareube(first, picture, n, 1.0f);

    float a[8], b[8], *read = NULL;
    unsigned int read_length = 0;
    for (int i = 0; i < 8; ++i) b[i] = a[i] = i / 3.0f;
    b[3] += 0.01f;
    good = good && !cutComparef(a, b, 8) && cutComparefe(a, b, 8, 0.011f) && !cutComparefe(a, b, 8, 0.009f);
    good = good && cutComparefet(a, b, 8, 0.001f, 0.2f) && cutCompareL2fe(a, b, 8, 0.1f);
    CUT_SAFE_CALL(cutWriteFilef("numbers.txt", a, 8, 0.0f));
    CUT_SAFE_CALL(cutReadFilef("numbers.txt", &read, &read_length));
    good = good && read_length == 8 && cutComparef(a, read, 8);
    int x[2] = {3, 4}, y[2] = {3, 5};
    good = good && cutComparei(x, x, 2) && !cutComparei(x, y, 2);
    good = good && shrRoundUp(64, 65) == 128 && shrDeltaT(0) >= 0;

    CUT_SAFE_CALL(cutStopTimer(timer));
    good = good && cutGetTimerValue(timer) > 0;
    CUT_SAFE_CALL(cutDeleteTimer(timer));
    cutFree(read);
    CUDA_SAFE_CALL(cudaFree(device));
    shrLog(good ? "PASSED\n" : "FAILED\n");
    if (!good) exit(EXIT_FAILURE);
    CUT_EXIT(argc, argv);
}
