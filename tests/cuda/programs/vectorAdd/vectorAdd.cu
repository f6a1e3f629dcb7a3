// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Adds two vectors and looks at every call's error by hand, as first examples do. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

__global__ void add_vectors(const float *left, const float *right, float *sum, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        sum[i] = left[i] + right[i];
}

static void must(cudaError_t error, const char *doing)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "vectorAdd: while %s: %s\n", doing, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5000;
    size_t bytes = n * sizeof(float);
    float *host[3], *device[3] = {NULL, NULL, NULL};
    for (int k = 0; k < 3; ++k)
    {
        host[k] = (float *)malloc(bytes);
        if (host[k] == NULL) { fprintf(stderr, "vectorAdd: no memory\n"); return EXIT_FAILURE; }
        for (int i = 0; i < n; ++i) host[k][i] = rand() / (float)RAND_MAX;
        must(cudaMalloc((void **)&device[k], bytes), "allocating");
        if (k < 2) must(cudaMemcpy(device[k], host[k], bytes, cudaMemcpyHostToDevice), "copying in");
    }

    int block = 256, grid = (n + block - 1) / block;
    printf("%d elements, %d blocks\n", n, grid);
    add_vectors<<<grid, block>>>(device[0], device[1], device[2], n);
    must(cudaGetLastError(), "launching");
    must(cudaMemcpy(host[2], device[2], bytes, cudaMemcpyDeviceToHost), "copying out");

    int wrong = 0;
    for (int i = 0; i < n; ++i)
        if (host[0][i] + host[1][i] != host[2][i]) ++wrong;
    for (int k = 0; k < 3; ++k)
    {
        must(cudaFree(device[k]), "freeing");
        free(host[k]);
    }
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
