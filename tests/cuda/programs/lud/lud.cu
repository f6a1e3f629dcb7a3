// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Host of the LU decomposition; linked to lud_kernel.cu, timed by gettimeofday.
#include <cuda.h>
#include <stdio.h>
#include <unistd.h>
#include <getopt.h>
#include <stdlib.h>
#include <sys/time.h>
#include <math.h>

extern void lud_cuda(float *d_m, int matrix_dim);

static struct option long_options[] = {{"size", 1, NULL, 's'}, {"verify", 0, NULL, 'v'}, {0, 0, 0, 0}};

static double seconds()
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + 1e-6 * t.tv_usec;
}

int main(int argc, char *argv[])
{
    int matrix_dim = 32, opt, option_index = 0;
    while ((opt = getopt_long(argc, argv, "::vs:", long_options, &option_index)) != -1)
    {
        switch (opt)
        {
        case 'v': break;
        case 's': matrix_dim = atoi(optarg); break;
        default: fprintf(stderr, "Usage: %s [-v] [-s matrix_size]\n", argv[0]); exit(EXIT_FAILURE);
        }
    }
    int n = matrix_dim;
    float *m = (float *)malloc(n * n * sizeof(float)), *mm = (float *)malloc(n * n * sizeof(float)), *d_m;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) mm[i * n + j] = m[i * n + j] = 10 * exp(-0.1 * abs(i - j)) + (i == j);
    cudaMalloc((void **)&d_m, n * n * sizeof(float));
    double begin = seconds();
    cudaMemcpy(d_m, m, n * n * sizeof(float), cudaMemcpyHostToDevice);
    lud_cuda(d_m, n);
    cudaMemcpy(m, d_m, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    fprintf(stderr, "Time consumed(ms): %lf\n", 1000 * (seconds() - begin));
    cudaFree(d_m);
    double worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
        {
            double sum = 0;
            for (int k = 0; k <= (i < j ? i : j); k++) sum += (i == k ? 1.0 : m[i * n + k]) * m[k * n + j];
            if (!(fabs(sum - mm[i * n + j]) <= worst)) worst = fabs(sum - mm[i * n + j]);
        }
    free(m);
    free(mm);
    printf("L * U differs from A by %g\n%s\n", worst, worst < 1e-3 ? "PASSED" : "FAILED");
    return worst < 1e-3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
