// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Memory of the host and of kernels: page-locked memory with several streams, the heap.
#include "kit.h"

__global__ void work(unsigned* x, int rounds) {
    unsigned v = threadIdx.x;
    for (int i = 0; i < rounds; ++i) v = v * 1664525u + 1013904223u;
    x[threadIdx.x] = v;
}
static unsigned worked(unsigned v, int rounds) {
    for (int i = 0; i < rounds; ++i) v = v * 1664525u + 1013904223u;
    return v;
}

// Waiting for one stream brings nothing of the other, and is not the last that brings something.
CASE(results_of_two_streams_arrive) {
    unsigned *one = nullptr, *two = nullptr;
    cudaStream_t a = nullptr, b = nullptr;
    GOOD(cudaMallocHost(&one, 4096));
    GOOD(cudaMallocHost(&two, 4096));
    GOOD(cudaStreamCreate(&a));
    GOOD(cudaStreamCreate(&b));
    work<<<1, 32, 0, a>>>(one, 4000);
    work<<<1, 32, 0, b>>>(two, 10);
    GOOD(cudaStreamSynchronize(b));
    THAT(two[0] == worked(0, 10) && two[31] == worked(31, 10));
    if (std::getenv("TIMED") != nullptr) THAT(one[31] == 0);
    GOOD(cudaStreamSynchronize(a));
    THAT(one[0] == worked(0, 4000) && one[31] == worked(31, 4000));
    GOOD(cudaStreamDestroy(a));
    GOOD(cudaStreamDestroy(b));
    GOOD(cudaFreeHost(one));
    GOOD(cudaFreeHost(two));
}

// The same launches with and without a block: its contents travel beside simulated time.
CASE(no_time_passes_for_it) {
    unsigned* x = nullptr;
    cudaStream_t a = nullptr, b = nullptr;
    cudaEvent_t first = nullptr, last = nullptr;
    GOOD(cudaMalloc(&x, 4096));
    GOOD(cudaStreamCreate(&a));
    GOOD(cudaStreamCreate(&b));
    GOOD(cudaEventCreate(&first));
    GOOD(cudaEventCreate(&last));
    float ms[3] = {};
    for (float& each : ms) {
        unsigned* h = nullptr;
        const bool shared = &each == ms + 2;  // the first round warms caches
        if (shared) {
            GOOD(cudaMallocHost(&h, 65536));
            std::memset(h, 1, 65536);
        }
        GOOD(cudaEventRecord(first, b));
        work<<<1, 32, 0, a>>>(x, 4000);
        work<<<1, 32, 0, b>>>(x + 64, 10);
        GOOD(cudaStreamSynchronize(b));
        work<<<1, 32, 0, b>>>(x + 64, 10);
        GOOD(cudaEventRecord(last, b));
        GOOD(cudaDeviceSynchronize());
        GOOD(cudaEventElapsedTime(&each, first, last));
        if (shared) GOOD(cudaFreeHost(h));
    }
    std::printf("times %.9g %.9g\n", ms[1], ms[2]);
    if (std::getenv("TIMED") != nullptr) THAT(ms[1] > 0 && ms[1] == ms[2]);
    GOOD(cudaEventDestroy(first));
    GOOD(cudaEventDestroy(last));
    GOOD(cudaStreamDestroy(a));
    GOOD(cudaStreamDestroy(b));
    GOOD(cudaFree(x));
}

__global__ void take_from_heap() {
    free(malloc(8));
}

// Where there is a heap, its size is the one that it was compiled with.
CASE(the_heap_has_its_size) {
    size_t bytes = 0;
    for (const size_t wanted : {size_t{64} << 20, size_t{1} << 20}) {
        GOOD(cudaDeviceSetLimit(cudaLimitMallocHeapSize, wanted));
        GOOD(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
        THAT(bytes == 8 << 20);
    }
    take_from_heap<<<1, 1>>>();
    GOOD(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
