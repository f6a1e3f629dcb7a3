// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Speckle-reducing anisotropic diffusion. The kernels' file is included, as Rodinia's authors do.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <cuda.h>
#include "srad.h"
#include "srad_kernel.cu"

void random_matrix(float *I, int rows, int cols)
{
    srand(7);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) I[i * cols + j] = rand() / (float)RAND_MAX;
}

void check_error(const char *msg)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) { fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err)); exit(EXIT_FAILURE); }
}

int main(int argc, char *argv[])
{
    int rows = 48, cols = 32, niter = 2, r1 = 0, r2 = 15, c1 = 0, c2 = 15;
    float lambda = 0.5f;
    if (argc == 4)
    {
        rows = atoi(argv[1]); cols = atoi(argv[2]); niter = atoi(argv[3]);
        if ((rows % 16 != 0) || (cols % 16 != 0)) { fprintf(stderr, "rows and cols must be multiples of 16\n"); exit(1); }
    }
    int n = rows * cols, size_R = (r2 - r1 + 1) * (c2 - c1 + 1);
    float *J = (float *)malloc(sizeof(float) * n), *J_cuda, *C_cuda, *E_C, *W_C, *S_C, *N_C;
    double *R = (double *)malloc(sizeof(double) * n), *c = (double *)malloc(sizeof(double) * n), *d[4];
    for (int k = 0; k < 4; k++) d[k] = (double *)malloc(sizeof(double) * n);
    random_matrix(J, rows, cols);
    for (int k = 0; k < n; k++) R[k] = J[k] = (float)exp(J[k]);
    cudaMalloc((void **)&J_cuda, sizeof(float) * n); cudaMalloc((void **)&C_cuda, sizeof(float) * n);
    cudaMalloc((void **)&E_C, sizeof(float) * n); cudaMalloc((void **)&W_C, sizeof(float) * n);
    cudaMalloc((void **)&S_C, sizeof(float) * n); cudaMalloc((void **)&N_C, sizeof(float) * n);
    check_error("cudaMalloc");
    for (int iter = 0; iter < niter; iter++)
    {
        float sum = 0, sum2 = 0;
        for (int i = r1; i <= r2; i++)
            for (int j = c1; j <= c2; j++) { float tmp = J[i * cols + j]; sum += tmp; sum2 += tmp * tmp; }
        float meanROI = sum / size_R, varROI = (sum2 / size_R) - meanROI * meanROI, q0sqr = varROI / (meanROI * meanROI);
        dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE), dimGrid(cols / BLOCK_SIZE, rows / BLOCK_SIZE);
        cudaMemcpy(J_cuda, J, sizeof(float) * n, cudaMemcpyHostToDevice);
        srad_cuda_1<<<dimGrid, dimBlock>>>(E_C, W_C, N_C, S_C, J_cuda, C_cuda, cols, rows, q0sqr);
        check_error("srad_cuda_1");
        srad_cuda_2<<<dimGrid, dimBlock>>>(E_C, W_C, N_C, S_C, J_cuda, C_cuda, cols, rows, lambda);
        check_error("srad_cuda_2");
        cudaMemcpy(J, J_cuda, sizeof(float) * n, cudaMemcpyDeviceToHost);

        for (int y = 0; y < rows; y++)
            for (int x = 0; x < cols; x++)
            {
                int i = y * cols + x;
                int to[4] = {y ? i - cols : i, y + 1 < rows ? i + cols : i, x ? i - 1 : i, x + 1 < cols ? i + 1 : i};
                double g2 = 0, l = 0;
                for (int k = 0; k < 4; k++) { d[k][i] = R[to[k]] - R[i]; g2 += d[k][i] * d[k][i]; l += d[k][i]; }
                g2 /= R[i] * R[i]; l /= R[i];
                double q = (0.5 * g2 - l * l / 16) / pow(1 + .25 * l, 2);
                c[i] = fmin(fmax(1 / (1 + (q - q0sqr) / (q0sqr * (1 + q0sqr))), 0), 1);
            }
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < cols; x++)
            {
                int i = y * cols + x;
                R[i] += 0.25 * lambda * (c[i] * (d[0][i] + d[2][i]) + c[y + 1 < rows ? i + cols : i] * d[1][i] + c[x + 1 < cols ? i + 1 : i] * d[3][i]);
            }
    }
    double worst = 0;
    for (int i = 0; i < n; i++) if (!(fabs(R[i] - J[i]) <= worst)) worst = fabs(R[i] - J[i]);
    printf("worst difference %g\n%s\n", worst, worst < 1e-4 ? "PASSED" : "FAILED");
    cudaFree(C_cuda); cudaFree(J_cuda); cudaFree(E_C); cudaFree(W_C); cudaFree(N_C); cudaFree(S_C);
    free(J); free(R); free(c);
    for (int k = 0; k < 4; k++) free(d[k]);
    return worst < 1e-4 ? 0 : 1;
}
