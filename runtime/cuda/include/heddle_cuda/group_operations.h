/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * What reduce() and the scans of cooperative_groups combine values by. */
#ifndef HEDDLE_CUDA_GROUP_OPERATIONS_H
#define HEDDLE_CUDA_GROUP_OPERATIONS_H

#include "cooperative_groups.h"

#if defined(__CUDA__)
namespace cooperative_groups {

#define HEDDLE_OPERATION(name, expression)                                                      \
    template <typename T>                                                                       \
    struct name {                                                                               \
        __device__ __inline__ T operator()(const T& x, const T& y) const { return expression; } \
    };
HEDDLE_OPERATION(plus, x + y)
HEDDLE_OPERATION(less, y < x ? y : x)
HEDDLE_OPERATION(greater, x < y ? y : x)
HEDDLE_OPERATION(bit_and, x& y)
HEDDLE_OPERATION(bit_or, x | y)
HEDDLE_OPERATION(bit_xor, x ^ y)
#undef HEDDLE_OPERATION

}  // namespace cooperative_groups
#endif

#endif
