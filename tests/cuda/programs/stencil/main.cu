// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Seven points in a volume, in the manner of Parboil: getopt, a binary input file, two volumes in turn.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <getopt.h>
#include <string>
#include "kernels.cu"

#define CUERR { cudaError_t err; if ((err = cudaGetLastError()) != cudaSuccess) { \
    printf("CUDA error: %s, %s line %d\n", cudaGetErrorString(err), __FILE__, __LINE__); return -1; } }

int main(int argc, char **argv)
{
    int nx = 34, ny = 10, nz = 8, iteration = 3, c;
    std::string input, folder = ".";
    while ((c = getopt(argc, argv, "i:d:n:")) != -1)
    {
        if (c == 'i') input = optarg;
        else if (c == 'd') folder = optarg;
        else if (c == 'n') iteration = atoi(optarg);
        else { printf("-i FILE -d FOLDER -n ITERATIONS\n"); return 1; }
    }
    size_t size = nx * ny * nz;
    bool made = input.empty();
    if (made)
    {
        input = folder + "/stencil.bin";
        FILE *fp = fopen(input.c_str(), "wb");
        if (!fp) { perror(input.c_str()); return 1; }
        for (size_t i = 0; i < size; i++) { float f = (i * 2654435761u >> 16) / 65536.0f; fwrite(&f, sizeof f, 1, fp); }
        fclose(fp);
    }
    float *h_A0 = (float *)malloc(sizeof(float) * size), *h_Anext = (float *)malloc(sizeof(float) * size);
    FILE *fp = fopen(input.c_str(), "rb");
    if (!fp || fread(h_A0, sizeof(float), size, fp) != size) { printf("FAILED to read %s\n", input.c_str()); return 1; }
    fclose(fp);
    if (made) remove(input.c_str());

    float c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f / 6.0f, *d_A0, *d_Anext;
    cudaMalloc((void **)&d_A0, size * sizeof(float));
    cudaMalloc((void **)&d_Anext, size * sizeof(float));
    CUERR
    cudaMemset(d_Anext, 0, size * sizeof(float));
    cudaMemcpy(d_A0, h_A0, size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_Anext, d_A0, size * sizeof(float), cudaMemcpyDeviceToDevice);
    CUERR
    dim3 block(nx - 1, 1, 1), grid(ny - 2, nz - 2, 1);
    for (int t = 0; t < iteration; t++)
    {
        naive_kernel<<<grid, block>>>(c0, c1, d_A0, d_Anext, nx, ny, nz);
        float *d_temp = d_A0;
        d_A0 = d_Anext;
        d_Anext = d_temp;
    }
    CUERR
    cudaMemcpy(h_Anext, d_A0, size * sizeof(float), cudaMemcpyDeviceToHost);
    CUERR
    double *a = new double[size], *b = new double[size], worst = 0;
    for (size_t i = 0; i < size; i++) a[i] = b[i] = h_A0[i];
    for (int t = 0; t < iteration; t++)
    {
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++)
                {
                    double *p = a + Index3D(nx, ny, i, j, k);
                    b[Index3D(nx, ny, i, j, k)] = (p[1] + p[-1] + p[nx] + p[-nx] + p[nx * ny] + p[-nx * ny]) * c1 - p[0] * c0;
                }
        std::swap(a, b);
    }
    for (size_t i = 0; i < size; i++) if (!(fabs(a[i] - h_Anext[i]) <= worst)) worst = fabs(a[i] - h_Anext[i]);
    printf("worst difference %g\n%s\n", worst, worst < 1e-6 ? "PASSED" : "FAILED");
    cudaFree(d_A0); cudaFree(d_Anext);
    free(h_A0); free(h_Anext); delete[] a; delete[] b;
    return worst < 1e-6 ? 0 : 1;
}
