// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Kernels, device functions, variables and a function pointer over three files. */
#include <cstdio>
#include <cstdlib>
#include "shapes.cuh"

#define OK(x) if (cudaError_t e = (x)) { printf("%s: %s\n", #x, cudaGetErrorString(e)); return 1; }

__global__ void readBack(int *calls, float *sum)
{
    *calls = areaCalls;
    *sum = factors[0] + factors[1] + factors[2] + factors[3];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 70, wrong = 0, calls = 0;
    Shape *host = new Shape[n], *shapes;
    float *out, *results = new float[n], last = 0.25f, sum = 0;
    for (int i = 0; i < n; i++) host[i] = Shape{i % 4, i * 0.5f, 4.0f};
    OK(cudaMalloc(&shapes, n * sizeof(Shape)));
    OK(cudaMalloc(&out, (n + 2) * sizeof(float)));
    OK(cudaMemcpy(shapes, host, n * sizeof(Shape), cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(factors, &last, sizeof last, 3 * sizeof(float)));
    chooseRoot();
    describe<<<(n + 31) / 32, 32>>>(shapes, out, n);
    readBack<<<1, 1>>>((int *)(out + n), out + n + 1);
    OK(cudaGetLastError());
    OK(cudaMemcpy(results, out, n * sizeof(float), cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&calls, out + n, sizeof calls, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&sum, out + n + 1, sizeof sum, cudaMemcpyDeviceToHost));
    const float f[4] = {1.0f, 0.5f, 3.0f, 0.25f};
    for (int i = 0; i < n; i++)
    {
        float expected = 2 * (i * 0.5f * 4.0f * f[i % 4]) + 1000 + i;
        if (results[i] != expected) { printf("%d: %f, not %f\n", i, results[i], expected); wrong++; }
    }
    int fromHost = 0;
    OK(cudaMemcpyFromSymbol(&fromHost, areaCalls, sizeof fromHost));
    wrong += calls != 5 + n || fromHost != calls || sum != 4.75f;
    OK(cudaFree(shapes));
    OK(cudaFree(out));
    delete[] host;
    delete[] results;
    printf("%d calls, %d wrong\n%s\n", calls, wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
