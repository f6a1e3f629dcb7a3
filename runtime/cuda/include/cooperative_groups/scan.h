/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Scans of tiles and of active threads: a thread gets what the values of the ranks up to its own
 * (inclusive), or below it (exclusive), come to. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_SCAN_H
#define HEDDLE_COOPERATIVE_GROUPS_SCAN_H

#include "heddle_cuda/group_operations.h"

#if defined(__CUDA__)
namespace cooperative_groups {

template <typename Group, typename T, typename Operation>
HEDDLE_DEVICE T inclusive_scan(const Group& group, T value, Operation&& operation) {
    const unsigned rank = group.thread_rank();
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T other = group.shfl_up(value, distance);
        if (rank >= distance) value = operation(other, value);
    }
    return value;
}
template <typename Group, typename T>
HEDDLE_DEVICE T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
/* Rank 0 gets T(). */
template <typename Group, typename T, typename Operation>
HEDDLE_DEVICE T exclusive_scan(const Group& group, T value, Operation&& operation) {
    const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T>
HEDDLE_DEVICE T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
#endif

#endif
