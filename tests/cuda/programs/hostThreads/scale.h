// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cuda_runtime_api.h>

void launchScale(int* numbers, int n, int factor, cudaStream_t stream);
