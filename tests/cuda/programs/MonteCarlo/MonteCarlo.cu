// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Pi and the mean of a normal law by curand_kernel: a state per thread, kept between launches. */
#include <cuda.h>
#include <curand_kernel.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define CUDA_CALL(x) do { if((x) != cudaSuccess) { \
    printf("Error at %s:%d\n",__FILE__,__LINE__); \
    return EXIT_FAILURE;}} while(0)

__global__ void setup_kernel(curandState *state, unsigned long long seed)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &state[id]);
}

__global__ void setup_philox(curandStatePhilox4_32_10_t *state)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(1234, id, 0, &state[id]);
}

__global__ void count_inside(curandState *state, int n, unsigned int *result)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned int inside = 0;
    curandState localState = state[id];
    for (int i = 0; i < n; i++)
    {
        float x = curand_uniform(&localState), y = curand_uniform(&localState);
        if (x * x + y * y <= 1.0f) inside++;
    }
    state[id] = localState;
    result[id] += inside;
}

template <typename State> __global__ void moments(State *state, int n, float *sum, float *squares)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    float s = 0, q = 0;
    State localState = state[id];
    for (int i = 0; i < n; i += 2)
    {
        float2 z = curand_normal2(&localState);
        s += z.x + z.y;
        q += z.x * z.x + z.y * z.y;
    }
    state[id] = localState;
    atomicAdd(sum, s);
    atomicAdd(squares, q);
}

__global__ void four_at_once(curandStatePhilox4_32_10_t *state, float4 *out)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    out[id] = curand_uniform4(&state[id]);
}

int main(int argc, char *argv[])
{
    const int blocks = 4, threads = 64, total = blocks * threads, samples = argc > 1 ? atoi(argv[1]) : 20;
    curandState *devStates;
    curandStatePhilox4_32_10_t *devPhilox;
    unsigned int *devResults, *hostResults = (unsigned int *)calloc(total, sizeof(unsigned int));
    float *devSums, sums[4];
    float4 *devFour, *four = (float4 *)malloc(total * sizeof(float4));
    CUDA_CALL(cudaMalloc((void **)&devStates, total * sizeof(curandState)));
    CUDA_CALL(cudaMalloc((void **)&devPhilox, total * sizeof(curandStatePhilox4_32_10_t)));
    CUDA_CALL(cudaMalloc((void **)&devResults, total * sizeof(unsigned int)));
    CUDA_CALL(cudaMalloc((void **)&devSums, sizeof sums));
    CUDA_CALL(cudaMalloc((void **)&devFour, total * sizeof(float4)));
    CUDA_CALL(cudaMemset(devResults, 0, total * sizeof(unsigned int)));
    CUDA_CALL(cudaMemset(devSums, 0, sizeof sums));

    setup_kernel<<<blocks, threads>>>(devStates, 1234);
    setup_philox<<<blocks, threads>>>(devPhilox);
    for (int i = 0; i < 2; i++) count_inside<<<blocks, threads>>>(devStates, samples, devResults);
    moments<<<blocks, threads>>>(devStates, samples, devSums, devSums + 1);
    moments<curandStatePhilox4_32_10_t><<<blocks, threads>>>(devPhilox, samples, devSums + 2, devSums + 3);
    four_at_once<<<blocks, threads>>>(devPhilox, devFour);
    CUDA_CALL(cudaMemcpy(hostResults, devResults, total * sizeof(unsigned int), cudaMemcpyDeviceToHost));
    CUDA_CALL(cudaMemcpy(sums, devSums, sizeof sums, cudaMemcpyDeviceToHost));
    CUDA_CALL(cudaMemcpy(four, devFour, total * sizeof(float4), cudaMemcpyDeviceToHost));

    unsigned long long inside = 0;
    int different = 0;
    for (int i = 0; i < total; i++)
    {
        inside += hostResults[i];
        different += hostResults[i] != hostResults[0];
    }
    double n = (double)total * samples, pi = 4.0 * inside / (2 * n);
    printf("pi is about %.4f; normal: mean %.4f, variance %.4f; mean %.4f, variance %.4f\n", pi, sums[0] / n, sums[1] / n,
           sums[2] / n, sums[3] / n);
    bool right = fabs(pi - M_PI) < 6 * 1.7 / sqrt(2 * n) && different > total / 2;
    for (int k = 0; k < 4; k += 2)
        right = right && fabs(sums[k] / n) < 6 / sqrt(n) && fabs(sums[k + 1] / n - 1) < 6 * 1.5 / sqrt(n);
    double mean = 0;
    for (int i = 0; i < total; i++)
    {
        float v[4] = {four[i].x, four[i].y, four[i].z, four[i].w};
        for (int k = 0; k < 4; k++)
        {
            right = right && v[k] > 0 && v[k] <= 1;
            mean += v[k] / (4 * total);
        }
    }
    right = right && fabs(mean - 0.5) < 6 * 0.29 / sqrt(4.0 * total);
    CUDA_CALL(cudaFree(devStates)); CUDA_CALL(cudaFree(devPhilox)); CUDA_CALL(cudaFree(devResults));
    CUDA_CALL(cudaFree(devSums)); CUDA_CALL(cudaFree(devFour));
    free(hostResults); free(four);
    printf("%s\n", right ? "PASSED" : "FAILED");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
