// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Callbacks and host functions between kernels and copies, from several host threads. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

const int N_workloads = 3, N_elements_per_workload = 256;
#define CHK(x) do { cudaError_t e = (x); if (e) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

struct heterogeneous_workload
{
    int id;
    int *h_data, *d_data;
    cudaStream_t stream;
    bool success;
    int callbacks;
    pthread_mutex_t lock;
};

__global__ void incKernel(int *data, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) data[i]++;
}

void CUDART_CB myStreamCallback(cudaStream_t event, cudaError_t status, void *data)
{
    heterogeneous_workload *workload = (heterogeneous_workload *)data;
    pthread_mutex_lock(&workload->lock);
    workload->callbacks++;
    workload->success = status == cudaSuccess && event == workload->stream;
    for (int i = 0; i < N_elements_per_workload; ++i) workload->success &= workload->h_data[i] == i + workload->id + 1;
    pthread_mutex_unlock(&workload->lock);
}

void CUDART_CB hostFunction(void *data) { ((heterogeneous_workload *)data)->callbacks += 10; }

void *launch(void *void_arg)
{
    heterogeneous_workload *workload = (heterogeneous_workload *)void_arg;
    const size_t bytes = N_elements_per_workload * sizeof(int);
    CHK(cudaSetDevice(0));
    CHK(cudaStreamCreate(&workload->stream));
    CHK(cudaMalloc(&workload->d_data, bytes));
    CHK(cudaHostAlloc(&workload->h_data, bytes, cudaHostAllocPortable));
    for (int i = 0; i < N_elements_per_workload; ++i) workload->h_data[i] = workload->id + i;
    CHK(cudaMemcpyAsync(workload->d_data, workload->h_data, bytes, cudaMemcpyHostToDevice, workload->stream));
    incKernel<<<(N_elements_per_workload + 63) / 64, 64, 0, workload->stream>>>(workload->d_data, N_elements_per_workload);
    CHK(cudaMemcpyAsync(workload->h_data, workload->d_data, bytes, cudaMemcpyDeviceToHost, workload->stream));
    CHK(cudaStreamAddCallback(workload->stream, myStreamCallback, workload, 0));
    CHK(cudaLaunchHostFunc(workload->stream, hostFunction, workload));
    return NULL;
}

int main(int argc, char **argv)
{
    heterogeneous_workload workloads[N_workloads];
    pthread_t threads[N_workloads];
    for (int i = 0; i < N_workloads; ++i)
    {
        workloads[i].id = i * 100;
        workloads[i].callbacks = 0;
        workloads[i].success = false;
        pthread_mutex_init(&workloads[i].lock, NULL);
        pthread_create(&threads[i], NULL, launch, &workloads[i]);
    }
    for (int i = 0; i < N_workloads; ++i) pthread_join(threads[i], NULL);
    bool success = true;
    for (int i = 0; i < N_workloads; ++i)
    {
        CHK(cudaStreamSynchronize(workloads[i].stream));
        pthread_mutex_lock(&workloads[i].lock);
        printf("workload %d: %s, %d\n", i, workloads[i].success ? "right" : "wrong", workloads[i].callbacks);
        success &= workloads[i].success && workloads[i].callbacks == 11;
        pthread_mutex_unlock(&workloads[i].lock);
        CHK(cudaFree(workloads[i].d_data));
        CHK(cudaFreeHost(workloads[i].h_data));
        CHK(cudaStreamDestroy(workloads[i].stream));
    }
    printf("%s\n", success ? "PASSED" : "FAILED");
    return success ? 0 : 1;
}
