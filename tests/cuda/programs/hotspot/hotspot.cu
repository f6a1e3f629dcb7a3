// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Heat on a chip by a pyramid of time steps in shared memory; reads and writes text files, in the manner of Rodinia.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <assert.h>
#include <string.h>
#include <math.h>

#ifdef RD_WG_SIZE
#define BLOCK_SIZE RD_WG_SIZE
#else
#define BLOCK_SIZE 16
#endif
#define STR_SIZE 256
#define EXPAND_RATE 2
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
#define MAX_PD (3.0e6)
#define AMBIENT 80.0f

void fatal(const char *s) { fprintf(stderr, "error: %s\n", s); exit(1); }

void readinput(float *vect, int rows, int cols, const char *file)
{
    FILE *fp;
    char str[STR_SIZE];
    if ((fp = fopen(file, "r")) == 0) fatal("a file can't be opened");
    for (int i = 0; i < rows * cols; i++)
    {
        if (fgets(str, STR_SIZE, fp) == NULL) fatal("a file ends too early");
        if (sscanf(str, "%f", &vect[i]) != 1) fatal("a line has no number");
    }
    fclose(fp);
}

void writeoutput(float *vect, int rows, int cols, const char *file)
{
    FILE *fp = fopen(file, "w");
    if (!fp) fatal("a file can't be written");
    for (int i = 0; i < rows * cols; i++) fprintf(fp, "%.9g\n", vect[i]);
    fclose(fp);
}

__global__ void calculate_temp(int iteration, float *power, float *temp_src, float *temp_dst, int grid_cols, int grid_rows,
                               int border_cols, int border_rows, float Cap, float Rx, float Ry, float Rz, float step)
{
    __shared__ float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float power_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float temp_t[BLOCK_SIZE][BLOCK_SIZE];
    float amb_temp = AMBIENT, step_div_Cap = step / Cap, Rx_1 = 1 / Rx, Ry_1 = 1 / Ry, Rz_1 = 1 / Rz;
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int small_block_rows = BLOCK_SIZE - iteration * 2, small_block_cols = BLOCK_SIZE - iteration * 2;
    int blkY = small_block_rows * by - border_rows, blkX = small_block_cols * bx - border_cols;
    int blkYmax = blkY + BLOCK_SIZE - 1, blkXmax = blkX + BLOCK_SIZE - 1;
    int yidx = blkY + ty, xidx = blkX + tx, index = grid_cols * yidx + xidx;
    if (IN_RANGE(yidx, 0, grid_rows - 1) && IN_RANGE(xidx, 0, grid_cols - 1))
    {
        temp_on_cuda[ty][tx] = temp_src[index];
        power_on_cuda[ty][tx] = power[index];
    }
    __syncthreads();
    int validYmin = (blkY < 0) ? -blkY : 0, validXmin = (blkX < 0) ? -blkX : 0;
    int validYmax = (blkYmax > grid_rows - 1) ? BLOCK_SIZE - 1 - (blkYmax - grid_rows + 1) : BLOCK_SIZE - 1;
    int validXmax = (blkXmax > grid_cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - grid_cols + 1) : BLOCK_SIZE - 1;
    int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
    N = (N < validYmin) ? validYmin : N;
    S = (S > validYmax) ? validYmax : S;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;
    bool computed;
    for (int i = 0; i < iteration; i++)
    {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(tx, validXmin, validXmax) &&
            IN_RANGE(ty, validYmin, validYmax))
        {
            computed = true;
            temp_t[ty][tx] = temp_on_cuda[ty][tx] +
                             step_div_Cap * (power_on_cuda[ty][tx] + (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0 * temp_on_cuda[ty][tx]) * Ry_1 +
                                             (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0 * temp_on_cuda[ty][tx]) * Rx_1 +
                                             (amb_temp - temp_on_cuda[ty][tx]) * Rz_1);
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (computed) temp_on_cuda[ty][tx] = temp_t[ty][tx];
        __syncthreads();
    }
    if (computed) temp_dst[index] = temp_t[ty][tx];
}

void usage(int argc, char **argv)
{
    fprintf(stderr, "Usage: %s <rows/cols> <pyramid height> <steps> <temperatures> <powers> <output>\n", argv[0]);
    exit(1);
}

int main(int argc, char **argv)
{
    int size = 32, pyramid_height = 2, total = 5;
    char tfile[STR_SIZE] = "hotspot_temp.txt", pfile[STR_SIZE] = "hotspot_power.txt", ofile[STR_SIZE] = "hotspot_out.txt";
    if (argc != 1 && argc != 2 && argc != 7) usage(argc, argv);
    const char *folder = argc == 2 ? argv[1] : ".";
    if (argc == 7)
    {
        if ((size = atoi(argv[1])) <= 0 || (pyramid_height = atoi(argv[2])) <= 0 || (total = atoi(argv[3])) <= 0) usage(argc, argv);
        strcpy(tfile, argv[4]); strcpy(pfile, argv[5]); strcpy(ofile, argv[6]);
    }
    else
    {
        snprintf(tfile, STR_SIZE, "%s/hotspot_temp.txt", folder);
        snprintf(pfile, STR_SIZE, "%s/hotspot_power.txt", folder);
        snprintf(ofile, STR_SIZE, "%s/hotspot_out.txt", folder);
        float *made = (float *)malloc(size * size * sizeof(float));
        for (int i = 0; i < size * size; i++) made[i] = 320 + i * 31 % 17;
        writeoutput(made, size, size, tfile);
        for (int i = 0; i < size * size; i++) made[i] = (i * 13 % 29) * 0.0001f;
        writeoutput(made, size, size, pfile);
        free(made);
    }
    int border = pyramid_height * EXPAND_RATE / 2, small = BLOCK_SIZE - pyramid_height * EXPAND_RATE;
    int blocks = size / small + ((size % small == 0) ? 0 : 1);
    float *temp = (float *)malloc(size * size * sizeof(float)), *power = (float *)malloc(size * size * sizeof(float));
    float *out = (float *)calloc(size * size, sizeof(float));
    readinput(temp, size, size, tfile);
    readinput(power, size, size, pfile);
    printf("pyramid height %d, grid %d by %d, %d by %d blocks\n", pyramid_height, size, size, blocks, blocks);

    float *MatrixTemp[2], *MatrixPower;
    cudaMalloc((void **)&MatrixTemp[0], sizeof(float) * size * size);
    cudaMalloc((void **)&MatrixTemp[1], sizeof(float) * size * size);
    cudaMemcpy(MatrixTemp[0], temp, sizeof(float) * size * size, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&MatrixPower, sizeof(float) * size * size);
    cudaMemcpy(MatrixPower, power, sizeof(float) * size * size, cudaMemcpyHostToDevice);
    float width = 0.016f / size, Cap = 0.5f * 1.75e6f * 0.0005f * width * width, Rx = width / (2.0 * 100 * 0.0005f * width), Ry = Rx;
    float Rz = 0.0005f / (100 * width * width), step = 0.001 / (MAX_PD / (0.5f * 0.0005f * 1.75e6f));
    int src = 1, dst = 0;
    for (int t = 0; t < total; t += pyramid_height)
    {
        int temporary = src;
        src = dst;
        dst = temporary;
        calculate_temp<<<dim3(blocks, blocks), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(MIN(pyramid_height, total - t), MatrixPower, MatrixTemp[src],
            MatrixTemp[dst], size, size, border, border, Cap, Rx, Ry, Rz, step);
    }
    // A last launch with fewer steps has larger inner blocks, which the grid covers too.
    cudaMemcpy(out, MatrixTemp[dst], sizeof(float) * size * size, cudaMemcpyDeviceToHost);
    writeoutput(out, size, size, ofile);
    cudaFree(MatrixPower); cudaFree(MatrixTemp[0]); cudaFree(MatrixTemp[1]);

    double *a = (double *)malloc(size * size * sizeof(double)), *b = (double *)malloc(size * size * sizeof(double)), worst = 0, moved = 0;
    for (int i = 0; i < size * size; i++) a[i] = temp[i];
    for (int t = 0; t < total; t++)
    {
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++)
            {
                int i = y * size + x;
                double c = a[i], n = a[y ? i - size : i], s = a[y + 1 < size ? i + size : i], w = a[x ? i - 1 : i], e = a[x + 1 < size ? i + 1 : i];
                b[i] = c + step / Cap * (power[i] + (s + n - 2 * c) / Ry + (e + w - 2 * c) / Rx + (AMBIENT - c) / Rz);
            }
        double *swap = a; a = b; b = swap;
    }
    float *again = (float *)malloc(size * size * sizeof(float));
    readinput(again, size, size, ofile);
    for (int i = 0; i < size * size; i++)
    {
        worst = fmax(worst, fabs(a[i] - again[i]));
        if (again[i] != again[i]) worst = 1e9;
        moved = fmax(moved, fabs(a[i] - temp[i]));
    }
    printf("largest change %g, worst difference %g\n", moved, worst);
    int right = worst < 1e-3 && moved > 1e-2 && cudaGetLastError() == cudaSuccess;
    if (argc != 7) { remove(tfile); remove(pfile); remove(ofile); }
    free(temp); free(power); free(out); free(a); free(b); free(again);
    printf("%s\n", right ? "PASSED" : "FAILED");
    return right ? 0 : 1;
}
