// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Checks scan.cu at several lengths.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include "scan_common.h"

int main(int argc, char** argv) {
    const uint lengths[] = {1, 255, 256, 257, 3000, 8192};
    const uint N = 8192;
    findCudaDevice(argc, (const char**)argv);
    uint* h_Input = new uint[N];
    uint* h_Output = new uint[N];
    uint *d_Input, *d_Output;
    for (uint i = 0; i < N; i++) h_Input[i] = rand();
    checkCudaErrors(cudaMalloc((void**)&d_Input, N * sizeof(uint)));
    checkCudaErrors(cudaMalloc((void**)&d_Output, N * sizeof(uint)));
    checkCudaErrors(cudaMemcpy(d_Input, h_Input, N * sizeof(uint), cudaMemcpyHostToDevice));
    initScan();
    int globalFlag = 1;
    for (uint length : lengths) {
        checkCudaErrors(cudaMemset(d_Output, 0xcd, N * sizeof(uint)));
        size_t blocks = scanExclusiveLarge(d_Output, d_Input, length);
        checkCudaErrors(cudaDeviceSynchronize());
        checkCudaErrors(cudaMemcpy(h_Output, d_Output, N * sizeof(uint), cudaMemcpyDeviceToHost));
        uint sum = 0, wrong = 0;
        for (uint i = 0; i < length; i++) {
            wrong += h_Output[i] != sum;
            sum += h_Input[i];
        }
        for (uint i = length; i < N; i++) wrong += h_Output[i] != 0xcdcdcdcdu;
        printf("%u elements, %u blocks: %s\n", length, (uint)blocks, wrong ? "differ" : "match");
        globalFlag = globalFlag && !wrong;
    }
    closeScan();
    checkCudaErrors(cudaFree(d_Output));
    checkCudaErrors(cudaFree(d_Input));
    delete[] h_Input;
    delete[] h_Output;
    printf("%s\n", globalFlag ? "PASSED" : "FAILED");
    exit(globalFlag ? EXIT_SUCCESS : EXIT_FAILURE);
}
