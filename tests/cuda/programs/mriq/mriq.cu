// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Sums of sines and cosines over samples in constant memory, copied piece by piece, in the manner of Parboil's.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#define PIx2 6.2831853071795864769252867665590058f
#define KERNEL_Q_K_ELEMS_PER_GRID 64
#define KERNEL_Q_THREADS_PER_BLOCK 64

struct kValues
{
    float Kx, Ky, Kz, PhiMag;
};

__constant__ __device__ kValues ck[KERNEL_Q_K_ELEMS_PER_GRID];

__global__ void ComputePhiMag_GPU(float *phiR, float *phiI, float *phiMag, int numK)
{
    int indexK = blockIdx.x * KERNEL_Q_THREADS_PER_BLOCK + threadIdx.x;
    if (indexK < numK) phiMag[indexK] = phiR[indexK] * phiR[indexK] + phiI[indexK] * phiI[indexK];
}

__global__ void ComputeQ_GPU(int numK, int kGlobalIndex, float *x, float *y, float *z, float *Qr, float *Qi)
{
    int xIndex = blockIdx.x * KERNEL_Q_THREADS_PER_BLOCK + threadIdx.x, kIndex = 0;
    float sX = x[xIndex], sY = y[xIndex], sZ = z[xIndex], sQr = Qr[xIndex], sQi = Qi[xIndex];
    if (numK % 2)
    {
        float expArg = PIx2 * (ck[0].Kx * sX + ck[0].Ky * sY + ck[0].Kz * sZ);
        sQr += ck[0].PhiMag * cos(expArg);
        sQi += ck[0].PhiMag * sin(expArg);
        kIndex++;
        kGlobalIndex++;
    }
    for (; (kIndex < KERNEL_Q_K_ELEMS_PER_GRID) && (kGlobalIndex < numK); kIndex += 2, kGlobalIndex += 2)
        for (int k = 0; k < 2; k++)
        {
            float s, c, expArg = PIx2 * (ck[kIndex + k].Kx * sX + ck[kIndex + k].Ky * sY + ck[kIndex + k].Kz * sZ);
            sincosf(expArg, &s, &c);
            sQr += ck[kIndex + k].PhiMag * c;
            sQi += ck[kIndex + k].PhiMag * s;
        }
    Qr[xIndex] = sQr;
    Qi[xIndex] = sQi;
}

int main(int argc, char **argv)
{
    const int numX = 128, numK = argc > 1 ? atoi(argv[1]) : 96;
    float *x[3], *d[3], *phi[2], *dphi[2], *dMag, *dQ[2], *Q[2], *mag = (float *)malloc(numK * sizeof(float));
    kValues *k = (kValues *)malloc(numK * sizeof(kValues));
    for (int i = 0; i < 3; i++)
    {
        x[i] = (float *)malloc(numX * sizeof(float));
        for (int j = 0; j < numX; j++) x[i][j] = ((j + 1) * (i + 3) % 31) / 31.0f;
        cudaMalloc((void **)&d[i], numX * sizeof(float));
        cudaMemcpy(d[i], x[i], numX * sizeof(float), cudaMemcpyHostToDevice);
    }
    for (int i = 0; i < 2; i++)
    {
        phi[i] = (float *)malloc(numK * sizeof(float));
        for (int j = 0; j < numK; j++) phi[i][j] = ((j * (5 + i)) % 17) / 17.0f;
        cudaMalloc((void **)&dphi[i], numK * sizeof(float));
        cudaMemcpy(dphi[i], phi[i], numK * sizeof(float), cudaMemcpyHostToDevice);
        Q[i] = (float *)malloc(numX * sizeof(float));
        cudaMalloc((void **)&dQ[i], numX * sizeof(float));
        cudaMemset((void *)dQ[i], 0, numX * sizeof(float));
    }
    cudaMalloc((void **)&dMag, numK * sizeof(float));
    ComputePhiMag_GPU<<<(numK + 63) / 64, 64>>>(dphi[0], dphi[1], dMag, numK);
    cudaMemcpy(mag, dMag, numK * sizeof(float), cudaMemcpyDeviceToHost);
    for (int j = 0; j < numK; j++) k[j] = {0.1f * (j % 7), 0.2f * (j % 5), 0.3f * (j % 3), mag[j]};
    for (int base = 0; base < numK; base += KERNEL_Q_K_ELEMS_PER_GRID)
    {
        int numElems = numK - base < KERNEL_Q_K_ELEMS_PER_GRID ? numK - base : KERNEL_Q_K_ELEMS_PER_GRID;
        cudaMemcpyToSymbol(ck, k + base, numElems * sizeof(kValues), 0);
        ComputeQ_GPU<<<numX / KERNEL_Q_THREADS_PER_BLOCK, KERNEL_Q_THREADS_PER_BLOCK>>>(numK, base, d[0], d[1], d[2], dQ[0], dQ[1]);
    }
    for (int i = 0; i < 2; i++) cudaMemcpy(Q[i], dQ[i], numX * sizeof(float), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < numX; i++)
    {
        double r = 0, m = 0;
        for (int j = 0; j < numK; j++)
        {
            double p = (double)phi[0][j] * phi[0][j] + (double)phi[1][j] * phi[1][j], a = 2 * M_PI * ((double)k[j].Kx * x[0][i] + (double)k[j].Ky * x[1][i] + (double)k[j].Kz * x[2][i]);
            r += p * cos(a);
            m += p * sin(a);
        }
        double e = fmax(fabs(r - Q[0][i]), fabs(m - Q[1][i]));
        if (!(e <= worst)) worst = e;
    }
    int failed = !(worst < 1e-3) || cudaGetLastError() != cudaSuccess;
    for (int i = 0; i < 3; i++) { free(x[i]); cudaFree(d[i]); }
    for (int i = 0; i < 2; i++) { free(phi[i]); cudaFree(dphi[i]); free(Q[i]); cudaFree(dQ[i]); }
    cudaFree(dMag);
    free(k); free(mag);
    printf("worst difference %g\n%s\n", worst, failed ? "FAILED" : "PASSED");
    return failed;
}
