// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Compiled twice, plain and with -use_fast_math: the results differ a little, never much. An argument "fast" says which.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define N 128
__global__ void functions(const float *x, float *out)
{
    int i = threadIdx.x;
    float v = x[i];
    out[0 * N + i] = expf(v * 0.5f);
    out[1 * N + i] = logf(v);
    out[2 * N + i] = sinf(v * 0.1f);
    out[3 * N + i] = cosf(v * 0.1f);
    out[4 * N + i] = powf(v, 1.7f);
    out[5 * N + i] = 3.0f / v;
    out[6 * N + i] = sqrtf(v);
    out[7 * N + i] = tanf(v * 0.05f);
    out[8 * N + i] = log2f(v);
    out[9 * N + i] = exp10f(v * 0.1f);
    out[10 * N + i] = rsqrtf(v);
    out[11 * N + i] = __expf(v * 0.5f);
    out[12 * N + i] = __logf(v);
    out[13 * N + i] = __sinf(v * 0.1f);
    out[14 * N + i] = __powf(v, 1.7f);
    out[15 * N + i] = __fdividef(3.0f, v);
}

int main(int argc, char **argv)
{
    bool fast = argc > 1 && argv[1][0] == 'f';
    static float x[N], out[16 * N];
    float *dx, *dout;
    for (int i = 0; i < N; i++) x[i] = 0.25f + i * 0.125f;
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dout, sizeof out);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    functions<<<1, N>>>(dx, dout);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    double worst[16] = {0};
    for (int i = 0; i < N; i++)
    {
        double v = x[i], h = (double)(x[i] * 0.5f), t = (double)(x[i] * 0.1f), w = (double)(x[i] * 0.05f);
        double e[16] = {exp(h), log(v), sin(t), cos(t), pow(v, (double)1.7f), 3 / v, sqrt(v), tan(w), log2(v), pow(10, t), 1 / sqrt(v), exp(h), log(v), sin(t), pow(v, (double)1.7f), 3 / v};
        for (int k = 0; k < 16; k++)
        {
            double error = fabs(out[k * N + i] - e[k]) / fmax(fabs(e[k]), 0.1);
            if (!(error <= worst[k])) worst[k] = error;
        }
    }
    int wrong = 0;
    for (int k = 0; k < 16; k++)
    {
        double limit = fast || k >= 11 ? 1e-4 : 1e-6;
        if (!(worst[k] < limit)) { printf("function %d: worst error %g\n", k, worst[k]); wrong++; }
    }
    // The fast forms are the same functions as those that the plain names become.
    int same = 0;
    for (int i = 0; i < N; i++) same += out[i] == out[11 * N + i] && out[N + i] == out[12 * N + i] && out[2 * N + i] == out[13 * N + i];
    printf("%d of %d values of the plain and of the fast names are the same\n", same, N);
    wrong += fast && same != N;
    wrong += cudaGetLastError() != cudaSuccess;
    cudaFree(dx);
    cudaFree(dout);
    puts(wrong ? "FAILED" : "PASSED");
    return wrong;
}
