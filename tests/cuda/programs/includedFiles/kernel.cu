// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "mirror.cu"

__global__ void kernel()
{
    int tx = threadIdx.x;
    int bx = blockIdx.x;
    params_unique *mine = &d_unique[bx];
    __shared__ fp piece[64];
    for (int i = tx; i < d_common.in_elem; i += NUMBER_THREADS) piece[i] = mirrored(i) + mine->point_no;
    __syncthreads();
    for (int i = tx; i < d_common.in_rows * d_common.in_cols; i += NUMBER_THREADS)
        mine->d_mean[i] = d_common.alpha * mine->d_mean[i] + (1.0f - d_common.alpha) * (piece[i] + d_common.frame_no);
}
