// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Gaussian elimination by two small kernels a step; the system is read from a file that this program writes first.
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include "cuda.h"
#include <string.h>
#include <math.h>

#define MAXBLOCKSIZE 64
#define BLOCK_SIZE_XY 4

int Size;
float *a, *b, *finalVec, *m;
FILE *fp;

void InitMat(float *ary, int nrow, int ncol)
{
    for (int i = 0; i < nrow; i++)
        for (int j = 0; j < ncol; j++)
            if (fscanf(fp, "%f", ary + Size * i + j) != 1) { fprintf(stderr, "the file is too short\n"); exit(1); }
}

void checkCUDAError(const char *msg)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err)
    {
        fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}

__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= Size - 1 - t) return;
    *(m_cuda + Size * (i + t + 1) + t) = *(a_cuda + Size * (i + t + 1) + t) / *(a_cuda + Size * t + t);
}

__global__ void Fan2(float *m_cuda, float *a_cuda, float *b_cuda, int Size, int j1, int t)
{
    int xidx = blockIdx.x * blockDim.x + threadIdx.x, yidx = blockIdx.y * blockDim.y + threadIdx.y;
    if (xidx >= Size - 1 - t || yidx >= Size - t) return;
    a_cuda[Size * (xidx + 1 + t) + (yidx + t)] -= m_cuda[Size * (xidx + 1 + t) + t] * a_cuda[Size * t + (yidx + t)];
    if (yidx == 0) b_cuda[xidx + 1 + t] -= m_cuda[Size * (xidx + 1 + t) + (yidx + t)] * b_cuda[t];
}

void ForwardSub()
{
    float *m_cuda, *a_cuda, *b_cuda;
    cudaMalloc((void **)&m_cuda, Size * Size * sizeof(float));
    cudaMalloc((void **)&a_cuda, Size * Size * sizeof(float));
    cudaMalloc((void **)&b_cuda, Size * sizeof(float));
    cudaMemcpy(m_cuda, m, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(a_cuda, a, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b_cuda, b, Size * sizeof(float), cudaMemcpyHostToDevice);
    int block_size = MAXBLOCKSIZE, grid_size = (Size / block_size) + (!(Size % block_size) ? 0 : 1);
    dim3 dimBlock(block_size), dimGrid(grid_size);
    int blockSize2d = BLOCK_SIZE_XY, gridSize2d = (Size / blockSize2d) + (!(Size % blockSize2d) ? 0 : 1);
    dim3 dimBlockXY(blockSize2d, blockSize2d), dimGridXY(gridSize2d, gridSize2d);
    for (int t = 0; t < (Size - 1); t++)
    {
        Fan1<<<dimGrid, dimBlock>>>(m_cuda, a_cuda, Size, t);
        cudaThreadSynchronize();
        Fan2<<<dimGridXY, dimBlockXY>>>(m_cuda, a_cuda, b_cuda, Size, Size - t, t);
        cudaThreadSynchronize();
        checkCUDAError("Fan2");
    }
    cudaMemcpy(m, m_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(a, a_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(b, b_cuda, Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(m_cuda); cudaFree(a_cuda); cudaFree(b_cuda);
}

int main(int argc, char *argv[])
{
    cudaSetDevice(0);
    char name[300] = "matrix.txt";
    int made = 1, n = 18;
    for (int i = 1; i < argc; i++)
    {
        if (!strcmp(argv[i], "-f") && i + 1 < argc) { strcpy(name, argv[++i]); made = 0; }
        else if (!strcmp(argv[i], "-s") && i + 1 < argc) n = atoi(argv[++i]);
        else snprintf(name, sizeof name, "%s/matrix.txt", argv[i]);
    }
    if (made)
    {
        fp = fopen(name, "w");
        if (!fp) { perror(name); return 1; }
        fprintf(fp, "%d\n\n", n);
        for (int i = 0; i < n; i++, fprintf(fp, "\n"))
            for (int j = 0; j < n; j++) fprintf(fp, "%g\t", i == j ? n + 1.0 : (i * 3 + j * 7) % 5 * 0.25);
        for (int i = 0; i < n; i++) fprintf(fp, "%g ", i % 4 - 1.5);
        fclose(fp);
    }
    fp = fopen(name, "r");
    if (!fp || fscanf(fp, "%d", &Size) != 1) { perror(name); return 1; }
    a = (float *)malloc(Size * Size * sizeof(float));
    b = (float *)malloc(Size * sizeof(float));
    m = (float *)calloc(Size * Size, sizeof(float));
    InitMat(a, Size, Size);
    for (int i = 0; i < Size; i++) if (fscanf(fp, "%f", b + i) != 1) return 1;
    fclose(fp);
    if (made) remove(name);
    float *a0 = (float *)malloc(Size * Size * sizeof(float)), *b0 = (float *)malloc(Size * sizeof(float));
    memcpy(a0, a, Size * Size * sizeof(float));
    memcpy(b0, b, Size * sizeof(float));

    struct timeval time_start, time_end;
    gettimeofday(&time_start, NULL);
    ForwardSub();
    gettimeofday(&time_end, NULL);
    unsigned int time_total = (time_end.tv_sec * 1000000 + time_end.tv_usec) - (time_start.tv_sec * 1000000 + time_start.tv_usec);
    finalVec = (float *)malloc(Size * sizeof(float));
    for (int i = Size - 1; i >= 0; i--)
    {
        finalVec[i] = b[i];
        for (int j = i + 1; j < Size; j++) finalVec[i] -= a[Size * i + j] * finalVec[j];
        finalVec[i] /= a[Size * i + i];
    }
    double worst = 0;
    for (int i = 0; i < Size; i++)
    {
        double residue = -b0[i];
        for (int j = 0; j < Size; j++) residue += (double)a0[Size * i + j] * finalVec[j];
        if (!(fabs(residue) <= worst)) worst = fabs(residue);
    }
    fprintf(stderr, "Time total: %f sec\n", time_total * 1e-6);
    printf("largest residue %g\n%s\n", worst, worst < 1e-4 ? "PASSED" : "FAILED");
    free(a); free(b); free(m); free(a0); free(b0); free(finalVec);
    return worst < 1e-4 ? 0 : 1;
}
