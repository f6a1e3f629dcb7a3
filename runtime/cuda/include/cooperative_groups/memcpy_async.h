/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Copies by the threads of a group. The machine has no copies of its own: the threads have made
 * their parts when the call returns, and wait() is the group's barrier. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HEDDLE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "cooperative_groups.h"

#if defined(__CUDA__)
namespace cooperative_groups {

template <typename Group>
HEDDLE_DEVICE void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
    const unsigned rank = (unsigned)group.thread_rank(), step = (unsigned)group.size();
    const bool words =
        ((heddle::detail::address(to) | heddle::detail::address(from) | bytes) & 3) == 0;
    if (words) {
        for (size_t i = rank; i < bytes / 4; i += step)
            ((unsigned*)to)[i] = ((const unsigned*)from)[i];
    } else {
        for (size_t i = rank; i < bytes; i += step) ((char*)to)[i] = ((const char*)from)[i];
    }
}
/* As many elements as fit into both. */
template <typename Group, typename T>
HEDDLE_DEVICE void memcpy_async(const Group& group, T* to, size_t to_count, const T* from,
                                size_t from_count) {
    memcpy_async(group, (void*)to, (const void*)from,
                 (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <typename Group>
HEDDLE_DEVICE void wait(const Group& group) {
    group.sync();
}
template <unsigned stages, typename Group>
HEDDLE_DEVICE void wait_prior(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups
#endif

#endif
