// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/critical_section_kernel.h"

// Items move amounts between positions of shared memory. A section reads and writes the same two
// words. Each block has `positions` words, whose final values go to its part of totals.

template <class Version>
__forceinline__ void it(unsigned items, unsigned positions, const unsigned* from,
                        const unsigned* to, const unsigned* amounts, unsigned* totals) {
    unsigned* const words = heddle::critical::begin<Version>(positions);
    heddle::critical::for_each_item<Version>(items, [&](unsigned item) {
        const unsigned index = blockIdx.x * items + item;
        const unsigned source = from[index], target = to[index], amount = amounts[index];
        Version::run([&] {
            words[source] -= amount;
            words[target] += amount;
        });
    });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < positions; i += blockDim.x) {
        totals[blockIdx.x * positions + i] = words[i];
    }
}

HEDDLE_CRITICAL_ENTRIES(it,
                        (unsigned items, unsigned positions, const unsigned* from,
                         const unsigned* to, const unsigned* amounts, unsigned* totals),
                        (items, positions, from, to, amounts, totals))
