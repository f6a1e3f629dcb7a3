/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * reduce() of tiles and of active threads: every thread gets the result. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_REDUCE_H
#define HEDDLE_COOPERATIVE_GROUPS_REDUCE_H

#include "heddle_cuda/group_operations.h"

#if defined(__CUDA__)
namespace cooperative_groups {

template <unsigned lanes, typename Parent, typename T, typename Operation>
HEDDLE_DEVICE T reduce(const thread_block_tile<lanes, Parent>& tile, T value,
                       Operation&& operation) {
    for (unsigned distance = lanes / 2; distance != 0; distance /= 2) {
        value = operation(value, tile.shfl_xor(value, distance));
    }
    return value;
}
template <typename T, typename Operation>
HEDDLE_DEVICE T reduce(const coalesced_group& group, T value, Operation&& operation) {
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) {
        result = operation(result, group.shfl(value, rank));
    }
    return result;
}

}  // namespace cooperative_groups
#endif

#endif
