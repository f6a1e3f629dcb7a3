// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Threads of OpenMP, each with a stream and memory of its own. Made by another compiler.
#include <omp.h>

#include <cstdio>
#include <vector>

#include "scale.h"

int main() {
    const int n = 500;
    int wrong = 0, threads = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong, threads)
    {
        const int factor = omp_get_thread_num() + 2;
        std::vector<int> host(n);
        int *numbers, *locked;
        cudaStream_t stream;
        threads += 1;
        wrong += cudaStreamCreate(&stream) != cudaSuccess;
        wrong += cudaMalloc((void**)&numbers, n * sizeof(int)) != cudaSuccess;
        wrong += cudaMallocHost((void**)&locked, n * sizeof(int)) != cudaSuccess;
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < n; i++) locked[i] = host[i] = i + round;
            cudaMemcpyAsync(numbers, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
            launchScale(numbers, n, factor, stream);
            launchScale(locked, n, factor + 1, stream);
            cudaMemcpyAsync(host.data(), numbers, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
            wrong += cudaStreamSynchronize(stream) != cudaSuccess;
            for (int i = 0; i < n; i++)
                wrong += host[i] != (i + round) * factor || locked[i] != (i + round) * (factor + 1);
        }
        // An error is the thread's own.
        launchScale(numbers, 0, 1, stream);
#pragma omp barrier
        wrong += cudaGetLastError() != cudaErrorInvalidConfiguration ||
                 cudaGetLastError() != cudaSuccess;
        wrong += cudaFree(numbers) != cudaSuccess || cudaFreeHost(locked) != cudaSuccess;
        wrong += cudaStreamDestroy(stream) != cudaSuccess;
    }
    wrong += threads != 4;
    printf("%d threads, %d wrong\n%s\n", threads, wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
