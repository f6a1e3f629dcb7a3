// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
__device__ fp mirrored(int i)
{
    return d_unique[blockIdx.x].d_frame[d_common.in_elem - 1 - i];
}
