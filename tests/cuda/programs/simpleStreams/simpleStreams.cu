// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Streams over pinned memory: copies and kernels in order within each, events between them, times that make sense. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

__global__ void init_array(int *g_data, int *factor, int num_iterations)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < num_iterations; i++) g_data[idx] += *factor;
}

__global__ void weigh(int *g_data, const int *other) { g_data[threadIdx.x] = 3 * g_data[threadIdx.x] + other[threadIdx.x]; }

int main(int argc, char **argv)
{
    const int nstreams = 4, n = 1024, part = n / nstreams, niterations = argc > 1 ? atoi(argv[1]) : 5;
    int *a, *d_a, *d_c, c = 5, wrong = 0;
    checkCudaErrors(cudaMallocHost((void **)&a, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void **)&d_a, n * sizeof(int)));
    checkCudaErrors(cudaMemset(d_a, 0x0, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void **)&d_c, sizeof(int)));
    checkCudaErrors(cudaMemcpy(d_c, &c, sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t *streams = (cudaStream_t *)malloc(nstreams * sizeof(cudaStream_t));
    for (int i = 0; i < nstreams; i++) checkCudaErrors(cudaStreamCreate(&(streams[i])));
    cudaEvent_t start_event, stop_event, done;
    checkCudaErrors(cudaEventCreateWithFlags(&start_event, cudaEventBlockingSync));
    checkCudaErrors(cudaEventCreateWithFlags(&stop_event, cudaEventBlockingSync));
    checkCudaErrors(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));

    // All in the default stream, then spread over four.
    float alone, spread;
    checkCudaErrors(cudaEventRecord(start_event, 0));
    for (int i = 0; i < nstreams; i++) init_array<<<part / 64, 64>>>(d_a + i * part, d_c, niterations);
    checkCudaErrors(cudaEventRecord(stop_event, 0));
    checkCudaErrors(cudaEventSynchronize(stop_event));
    checkCudaErrors(cudaEventElapsedTime(&alone, start_event, stop_event));

    memset(a, 255, n * sizeof(int));
    checkCudaErrors(cudaMemset(d_a, 0, n * sizeof(int)));
    checkCudaErrors(cudaEventRecord(start_event, 0));
    for (int i = 0; i < nstreams; i++) init_array<<<part / 64, 64, 0, streams[i]>>>(d_a + i * part, d_c, niterations);
    for (int i = 0; i < nstreams; i++)
        checkCudaErrors(cudaMemcpyAsync(a + i * part, d_a + i * part, part * sizeof(int), cudaMemcpyDeviceToHost, streams[i]));
    checkCudaErrors(cudaEventRecord(stop_event, 0));
    checkCudaErrors(cudaEventSynchronize(stop_event));
    checkCudaErrors(cudaEventElapsedTime(&spread, start_event, stop_event));
    for (int i = 0; i < n; i++) wrong += a[i] != c * niterations;
    printf("%d streams: %d wrong, %.5f ms alone, %.5f ms spread\n", nstreams, wrong, alone, spread);
    wrong += !(alone > 0) + !(spread > 0) + !(spread < 2 * alone);

    // Streams that wait for each other: 1 waits for 0, 2 for 1, by way of one event that is recorded again.
    checkCudaErrors(cudaMemset(d_a, 0, n * sizeof(int)));
    int expected = 0;
    for (int i = 0; i < 3; i++)
    {
        init_array<<<1, 64, 0, streams[i]>>>(d_a, d_c, 20);
        weigh<<<1, 64, 0, streams[i]>>>(d_a, d_a + part);
        expected = 3 * (expected + 20 * c);
        checkCudaErrors(cudaEventRecord(done, streams[i]));
        checkCudaErrors(cudaStreamWaitEvent(streams[i + 1], done, 0));
    }
    checkCudaErrors(cudaMemcpyAsync(a, d_a, 64 * sizeof(int), cudaMemcpyDeviceToHost, streams[3]));
    checkCudaErrors(cudaStreamSynchronize(streams[3]));
    for (int i = 0; i < 64; i++) wrong += a[i] != expected;
    printf("a chain over streams: %d, expected %d\n", a[5], expected);

    // The default stream waits for the others and they for it.
    init_array<<<1, 64, 0, streams[1]>>>(d_a, d_c, 200);
    weigh<<<1, 64>>>(d_a, d_a + part);
    init_array<<<1, 64, 0, streams[2]>>>(d_a, d_c, 1);
    expected = 3 * (expected + 200 * c) + c;
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(a, d_a, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) wrong += a[i] != expected;
    printf("around the default stream: %d, expected %d\n", a[5], expected);

    // An async copy from the host takes what the memory holds when the copy runs, before what is behind it.
    for (int i = 0; i < 64; i++) a[i] = i;
    checkCudaErrors(cudaMemcpyAsync(d_a, a, 64 * sizeof(int), cudaMemcpyHostToDevice, streams[0]));
    init_array<<<1, 64, 0, streams[0]>>>(d_a, d_c, 1);
    checkCudaErrors(cudaMemcpyAsync(a + 64, d_a, 64 * sizeof(int), cudaMemcpyDeviceToHost, streams[0]));
    checkCudaErrors(cudaMemsetAsync(d_a, 0xff, 64 * sizeof(int), streams[0]));
    checkCudaErrors(cudaMemcpyAsync(a + 128, d_a, 64 * sizeof(int), cudaMemcpyDeviceToHost, streams[0]));
    while (cudaStreamQuery(streams[0]) == cudaErrorNotReady) {}
    for (int i = 0; i < 64; i++) wrong += a[64 + i] != i + c || a[128 + i] != -1;
    float never;
    if (cudaEventElapsedTime(&never, start_event, done) == cudaSuccess) wrong++;
    cudaGetLastError();

    for (int i = 0; i < nstreams; i++) checkCudaErrors(cudaStreamDestroy(streams[i]));
    checkCudaErrors(cudaEventDestroy(start_event)); checkCudaErrors(cudaEventDestroy(stop_event)); checkCudaErrors(cudaEventDestroy(done));
    checkCudaErrors(cudaFreeHost(a));
    checkCudaErrors(cudaFree(d_a)); checkCudaErrors(cudaFree(d_c));
    free(streams);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
