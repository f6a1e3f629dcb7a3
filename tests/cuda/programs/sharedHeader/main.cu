// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "shared.cuh"

int main()
{
    const float weights[4] = {1, 2, 3, 4}, samples[8] = {10, 20, 30, 40, 50, 60, 70, 80};
    float *data, *out, first[4], other[4];
    cudaMalloc(&data, sizeof samples);
    cudaMalloc(&out, sizeof first);
    cudaMemcpy(data, samples, sizeof samples, cudaMemcpyHostToDevice);
    int wrong = run(weights, data, out) != 14;
    cudaMemcpy(first, out, sizeof first, cudaMemcpyDeviceToHost);
    wrong += second(data + 4, out) != 14;
    cudaMemcpy(other, out, sizeof other, cudaMemcpyDeviceToHost);
    // The first file's filter and texture are what they were.
    filtered<<<1, threads>>>(out);
    float again[4];
    cudaMemcpy(again, out, sizeof again, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++)
    {
        wrong += first[i] != 3 * (weights[i] + 2 * samples[i]);
        wrong += other[i] != 3 * (100 * weights[i] + 2 * samples[i + 4]);
        wrong += again[i] != weights[i] + 2 * samples[i];
    }
    printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
