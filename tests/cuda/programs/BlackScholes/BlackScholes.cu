// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Options' prices with the fast functions, float2 loads and the L1 norm as the check. */
#include <helper_functions.h>
#include <helper_cuda.h>
#include "BlackScholes_kernel.cuh"

#define DIV_UP(a, b) (((a) + (b) - 1) / (b))

static double cnd(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }

static float RandFloat(float low, float high)
{
    float t = (float)rand() / (float)RAND_MAX;
    return (1.0f - t) * low + t * high;
}

int main(int argc, char **argv)
{
    const int OPT_N = argc > 1 ? 2 * atoi(argv[1]) : 4000;
    const int OPT_SZ = OPT_N * sizeof(float);
    const float RISKFREE = 0.02f, VOLATILITY = 0.30f;
    findCudaDevice(argc, (const char **)argv);
    StopWatchInterface *hTimer = NULL;
    sdkCreateTimer(&hTimer);

    float *h[5], *d[5];
    for (int k = 0; k < 5; k++)
    {
        h[k] = (float *)malloc(OPT_SZ);
        checkCudaErrors(cudaMalloc((void **)&d[k], OPT_SZ));
    }
    srand(5347);
    for (int i = 0; i < OPT_N; i++)
    {
        h[0][i] = RandFloat(5.0f, 30.0f);
        h[1][i] = RandFloat(1.0f, 100.0f);
        h[2][i] = RandFloat(0.25f, 10.0f);
    }
    for (int k = 0; k < 3; k++) checkCudaErrors(cudaMemcpy(d[k], h[k], OPT_SZ, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaDeviceSynchronize());
    sdkResetTimer(&hTimer);
    sdkStartTimer(&hTimer);
    priceOptions<<<DIV_UP(OPT_N / 2, 128), 128>>>((float2 *)d[3], (float2 *)d[4], (float2 *)d[0], (float2 *)d[1], (float2 *)d[2],
                                                  RISKFREE, VOLATILITY, OPT_N);
    getLastCudaError("priceOptions() execution failed\n");
    checkCudaErrors(cudaDeviceSynchronize());
    sdkStopTimer(&hTimer);
    for (int k = 3; k < 5; k++) checkCudaErrors(cudaMemcpy(h[k], d[k], OPT_SZ, cudaMemcpyDeviceToHost));

    double sum_delta = 0, sum_ref = 0, max_delta = 0;
    for (int i = 0; i < OPT_N; i++)
    {
        double root = sqrt((double)h[2][i]);
        double d1 = (log((double)h[0][i] / h[1][i]) + (RISKFREE + 0.5 * VOLATILITY * VOLATILITY) * h[2][i]) / (VOLATILITY * root);
        double d2 = d1 - VOLATILITY * root, discount = exp(-RISKFREE * h[2][i]);
        double call = h[0][i] * cnd(d1) - h[1][i] * discount * cnd(d2);
        double put = h[1][i] * discount * cnd(-d2) - h[0][i] * cnd(-d1);
        double delta = fmax(fabs(call - h[3][i]), fabs(put - h[4][i]));
        if (delta > max_delta || delta != delta) max_delta = delta;
        sum_delta += fabs(call - h[3][i]);
        sum_ref += fabs(call);
    }
    double L1norm = sum_delta / sum_ref;
    printf("%d options, L1 norm: %E, max absolute error: %E\n", 2 * OPT_N, L1norm, max_delta);
    for (int k = 0; k < 5; k++)
    {
        checkCudaErrors(cudaFree(d[k]));
        free(h[k]);
    }
    sdkDeleteTimer(&hTimer);
    bool right = L1norm < 1e-6 && max_delta < 1e-4;
    printf("%s\n", right ? "PASSED" : "FAILED");
    exit(right ? EXIT_SUCCESS : EXIT_FAILURE);
}
