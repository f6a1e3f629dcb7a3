// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// As many launches of a small kernel as the argument says.
#include <cstdlib>

#include "kit.h"

__global__ void add_one(int* x) { x[threadIdx.x] += 1; }

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    int *d = nullptr, got = 0;
    GOOD(cudaMalloc(&d, 256));
    GOOD(cudaMemset(d, 0, 256));
    for (int i = 0; i < n; ++i) add_one<<<1, 32>>>(d);
    GOOD(cudaMemcpy(&got, d, 4, cudaMemcpyDeviceToHost));
    THAT(got == n);
    return failures() != 0;
}
