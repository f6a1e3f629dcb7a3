// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Two steps of speckle reduction: coefficients, then the update.
__global__ void srad_cuda_1(float *E_C, float *W_C, float *N_C, float *S_C, float *J_cuda, float *C_cuda, int cols, int rows, float q0sqr)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int x = bx * BLOCK_SIZE + tx, y = by * BLOCK_SIZE + ty, index = cols * y + x;
    __shared__ float temp[BLOCK_SIZE][BLOCK_SIZE], north[BLOCK_SIZE][BLOCK_SIZE], south[BLOCK_SIZE][BLOCK_SIZE], east[BLOCK_SIZE][BLOCK_SIZE],
        west[BLOCK_SIZE][BLOCK_SIZE];
    temp[ty][tx] = J_cuda[index];
    north[ty][tx] = J_cuda[y == 0 ? index : index - cols];
    south[ty][tx] = J_cuda[y == rows - 1 ? index : index + cols];
    west[ty][tx] = J_cuda[x == 0 ? index : index - 1];
    east[ty][tx] = J_cuda[x == cols - 1 ? index : index + 1];
    __syncthreads();
    float jc = temp[ty][tx];
    float n = (ty == 0 ? north[ty][tx] : temp[ty - 1][tx]) - jc;
    float s = (ty == BLOCK_SIZE - 1 ? south[ty][tx] : temp[ty + 1][tx]) - jc;
    float w = (tx == 0 ? west[ty][tx] : temp[ty][tx - 1]) - jc;
    float e = (tx == BLOCK_SIZE - 1 ? east[ty][tx] : temp[ty][tx + 1]) - jc;
    float g2 = (n * n + s * s + w * w + e * e) / (jc * jc), l = (n + s + w + e) / jc;
    float num = (0.5 * g2) - ((1.0 / 16.0) * (l * l)), den = 1 + (.25 * l), qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    float c = 1.0 / (1.0 + den);
    C_cuda[index] = c < 0 ? 0 : c > 1 ? 1 : c;
    E_C[index] = e; W_C[index] = w; S_C[index] = s; N_C[index] = n;
}

__global__ void srad_cuda_2(float *E_C, float *W_C, float *N_C, float *S_C, float *J_cuda, float *C_cuda, int cols, int rows, float lambda)
{
    __shared__ float c[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * BLOCK_SIZE + tx, y = blockIdx.y * BLOCK_SIZE + ty, index = cols * y + x;
    c[ty][tx] = C_cuda[index];
    if (ty == BLOCK_SIZE - 1) c[BLOCK_SIZE][tx] = C_cuda[y == rows - 1 ? index : index + cols];
    if (tx == BLOCK_SIZE - 1) c[ty][BLOCK_SIZE] = C_cuda[x == cols - 1 ? index : index + 1];
    __syncthreads();
    float d = c[ty][tx] * (N_C[index] + W_C[index]) + c[ty + 1][tx] * S_C[index] + c[ty][tx + 1] * E_C[index];
    J_cuda[index] = J_cuda[index] + 0.25 * lambda * d;
}
