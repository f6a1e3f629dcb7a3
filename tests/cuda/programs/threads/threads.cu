// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Host threads of several kinds, each with a stream of its own; the headers of the host that such programs include.
#include <atomic>
#include <complex>
#include <future>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>
#include <immintrin.h>
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

__global__ void count(int *out, int by)
{
    for (int i = 0; i < by; i++) out[threadIdx.x] += 1;
}

static std::mutex results_lock;
static std::map<std::string, int> results;
static std::atomic<int> failures(0);

static int work(int id)
{
    int *device, host[32];
    cudaStream_t stream;
    if (cudaSetDevice(0) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess) failures++;
    cudaMalloc((void **)&device, sizeof host);
    cudaMemsetAsync(device, 0, sizeof host, stream);
    count<<<1, 32, 0, stream>>>(device, id);
    count<<<1, 32, 0, stream>>>(device, 1);
    cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess) failures++;
    // The last error is each thread's own.
    if (id % 2) cudaFree((void *)0x10);
    if ((cudaGetLastError() != cudaSuccess) != (id % 2 == 1)) failures++;
    cudaFree(device);
    cudaStreamDestroy(stream);
    std::ostringstream name;
    name << "thread " << std::setw(2) << id;
    std::lock_guard<std::mutex> lock(results_lock);
    results[name.str()] = host[31];
    return host[0];
}

static void *old_thread(void *id)
{
    work(*static_cast<int *>(id));
    return NULL;
}

int main()
{
    const double begin = omp_get_wtime();
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back(work, i);
    auto future = std::async(std::launch::async, [] { return work(3); });
    int id = 4;
    pthread_t old;
    pthread_create(&old, NULL, old_thread, &id);
    pthread_join(old, NULL);
    for (auto &each : threads) each.join();
    int wrong = failures + (future.get() != 4);
    for (const auto &[name, value] : results) std::cout << name << ": " << value << '\n';
    for (int i = 0; i < 5; i++) wrong += results["thread  " + std::to_string(i)] != i + 1;

    float *aligned = static_cast<float *>(_mm_malloc(64, 32));
    _mm_storeu_ps(aligned, _mm_set1_ps(1.5f));
    wrong += reinterpret_cast<size_t>(aligned) % 32 != 0 || aligned[3] != 1.5f;
    _mm_free(aligned);
    wrong += std::abs(std::complex<float>(3, 4)) != 5 || omp_get_max_threads() < 1 || omp_get_wtime() < begin;
    std::cout << wrong << " wrong" << std::endl << (wrong ? "FAILED" : "PASSED") << std::endl;
    return wrong != 0;
}
