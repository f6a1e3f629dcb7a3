// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels that fault: the program is told by the next call that waits, and by all calls after it,
// until it resets the device. The argument says which fault.
#include <cassert>

#include "kit.h"

__global__ void store_far(int* x) { x[threadIdx.x + (1 << 20)] = 1; }
__global__ void store_odd(char* x) { *(int*)(x + 1) = 1; }
__global__ void fails_assert(int n) { assert(n == 3); }
__global__ void traps() { __trap(); }
__global__ void waits(volatile int* x) {
    while (*x == 0) {
    }
}
__global__ void store_one(int* x) { *x = 1; }

static void launch(const std::string& what, int* d) {
    if (what == "address") store_far<<<1, 32>>>(d);
    if (what == "misaligned") store_odd<<<1, 1>>>((char*)d);
    if (what == "assert") fails_assert<<<1, 1>>>(4);
    if (what == "trap") traps<<<1, 1>>>();
    if (what == "progress") waits<<<1, 1>>>(d);
}

int main(int argc, char** argv) {
    const struct {
        const char* what;
        cudaError_t code;
    } all[] = {{"address", cudaErrorIllegalAddress},
               {"misaligned", cudaErrorMisalignedAddress},
               {"assert", cudaErrorAssert},
               {"trap", cudaErrorLaunchFailure},
               {"progress", cudaErrorLaunchTimeout}};
    int* d = nullptr;
    int one = 0;
    for (const auto& each : all) {
        if (argc > 1 && std::strcmp(argv[1], each.what) != 0) continue;
        const cudaError_t code = each.code;
        GOOD(cudaMalloc(&d, 256));
        cudaStream_t stream;
        GOOD(cudaStreamCreate(&stream));
        launch(each.what, d);
        GOOD(cudaGetLastError());  // nothing is known yet
        GIVES(code, cudaDeviceSynchronize());
        GIVES(code, cudaGetLastError());
        GIVES(code, cudaGetLastError());  // it stays
        GIVES(code, cudaPeekAtLastError());
        GIVES(code, cudaMemcpy(&one, d, 4, cudaMemcpyDeviceToHost));
        GIVES(code, cudaMalloc(&d, 4));
        GIVES(code, cudaFree(d));
        GIVES(code, cudaStreamSynchronize(stream));
        launch(each.what, d);
        GIVES(code, cudaGetLastError());
        GOOD(cudaDeviceReset());
        GOOD(cudaGetLastError());
        // A new device, with nothing of the old one on it.
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
        FAILS(cudaErrorInvalidValue, cudaFree(d));
        GOOD(cudaMalloc(&d, 256));
        store_one<<<1, 1>>>(d);
        GOOD(cudaMemcpy(&one, d, 4, cudaMemcpyDeviceToHost));
        THAT(one == 1);
        GOOD(cudaDeviceReset());
        std::printf("%s: told\n", each.what);
    }
    return failures() != 0;
}
