// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// counts[v] += number of times that v occurs in values[0 .. n); every value is below `bins`.

/// Every thread adds straight to the global counts.
__global__ void histogram_global(unsigned n, unsigned /*bins*/, const unsigned* values,
                                 unsigned* counts) {
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&counts[values[i]], 1u);
}

/// Every block counts in shared memory and adds its counts to the global ones at the end.
/// The launch gives bins * sizeof(unsigned) dynamic shared bytes.
__global__ void histogram_shared(unsigned n, unsigned bins, const unsigned* values,
                                 unsigned* counts) {
    unsigned* local = heddle::dynamic_shared<unsigned>();
    for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) local[bin] = 0;
    __syncthreads();

    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[values[i]], 1u);
    __syncthreads();

    for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x)
        if (local[bin] != 0) atomicAdd(&counts[bin], local[bin]);
}
