// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/critical_section_kernel.h"

// The accumulation of k-means: each point joins its nearest center. A section adds the point's
// coordinates to the sums of its cluster in shared memory and counts it. It reads and writes the
// same dimensions + 1 words. A block's sums go to totals[block][cluster][dimension], with the count
// behind them.

template <class Version>
__forceinline__ void km(unsigned items, unsigned clusters, unsigned dimensions,
                        const unsigned* points, const unsigned* centers, unsigned* totals) {
    const unsigned width = dimensions + 1;
    unsigned* const sums = heddle::critical::begin<Version>(clusters * width);
    heddle::critical::for_each_item<Version>(items, [&](unsigned item) {
        const unsigned* const point = &points[(blockIdx.x * items + item) * dimensions];
        unsigned nearest = 0, least = ~0u;
        for (unsigned c = 0; c < clusters; ++c) {
            unsigned distance = 0;
            for (unsigned d = 0; d < dimensions; ++d) {
                const int apart = static_cast<int>(point[d] - centers[c * dimensions + d]);
                distance += static_cast<unsigned>(apart * apart);
            }
            nearest = distance < least ? c : nearest;
            least = distance < least ? distance : least;
        }
        unsigned* const sum = &sums[nearest * width];
        Version::run([&] {
            for (unsigned d = 0; d < dimensions; ++d) sum[d] += point[d];
            sum[dimensions] += 1;
        });
    });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < clusters * width; i += blockDim.x) {
        totals[blockIdx.x * clusters * width + i] = sums[i];
    }
}

HEDDLE_CRITICAL_ENTRIES(km,
                        (unsigned items, unsigned clusters, unsigned dimensions,
                         const unsigned* points, const unsigned* centers, unsigned* totals),
                        (items, clusters, dimensions, points, centers, totals))
