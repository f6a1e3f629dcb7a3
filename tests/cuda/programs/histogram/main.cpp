// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Compares three histograms with the host's.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include "histogram_common.h"

int main(int argc, char** argv) {
    uint byteCount = argc > 1 ? atoi(argv[1]) * 16 : 2400;
    cudaDeviceProp deviceProp;
    deviceProp.major = 0;
    int dev = findCudaDevice(argc, (const char**)argv);
    checkCudaErrors(cudaGetDeviceProperties(&deviceProp, dev));
    printf("%s: %d multiprocessors, capability %d.%d\n", deviceProp.name,
           deviceProp.multiProcessorCount, deviceProp.major, deviceProp.minor);
    uchar* h_Data = (uchar*)malloc(byteCount);
    uint expected[256] = {0}, got[256];
    srand(2009);
    for (uint i = 0; i < byteCount; i++) {
        h_Data[i] = i % 3 ? rand() % 256 : 200;
        expected[h_Data[i]]++;
    }
    uchar* d_Data;
    uint* d_Histogram;
    checkCudaErrors(cudaMalloc((void**)&d_Data, byteCount));
    checkCudaErrors(cudaMalloc((void**)&d_Histogram, BINS_256 * sizeof(uint)));
    checkCudaErrors(cudaMemcpy(d_Data, h_Data, byteCount, cudaMemcpyHostToDevice));
    int wrong = 0;

    histogram64(d_Histogram, d_Data, byteCount);
    checkCudaErrors(cudaMemcpy(got, d_Histogram, 64 * sizeof(uint), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) {
        uint four = 0;
        for (int j = 0; j < 4; j++) four += expected[4 * i + j];
        wrong += got[i] != four;
    }
    printf("histogram64: %d bins differ\n", wrong);
    histogram256(d_Histogram, d_Data, byteCount);
    checkCudaErrors(cudaMemcpy(got, d_Histogram, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) wrong += got[i] != expected[i];
    printf("histogram256: %d bins differ\n", wrong);
    histogramGlobal(d_Histogram, d_Data, byteCount);
    checkCudaErrors(cudaMemcpy(got, d_Histogram, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) wrong += got[i] != expected[i];
    printf("global atomics: %d bins differ\n", wrong);
    checkCudaErrors(cudaFree(d_Histogram));
    checkCudaErrors(cudaFree(d_Data));
    free(h_Data);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
