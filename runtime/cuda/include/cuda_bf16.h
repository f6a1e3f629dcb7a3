/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Numbers of 16 bits with the exponents of floats: __nv_bfloat16, and __nv_bfloat162 of two. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#if defined(__cplusplus)
#include "heddle_cuda/small_float_conversions.h"

HEDDLE_SMALL_TYPES(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw,
                   bfloat16_format)
HEDDLE_SMALL_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
HEDDLE_SMALL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, bfloat16, bfloat162,
                         bfloat16_format)
#if defined(__CUDA__)
HEDDLE_SMALL_DEVICE(__nv_bfloat16, __nv_bfloat162)
#endif

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

HEDDLE_SMALL __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return __nv_bfloat162(x, y);
}
/* 1, -1 or 0: infinite. */
HEDDLE_SMALL int __hisinf(__nv_bfloat16 x) {
    return x.__x == 0x7f80 ? 1 : x.__x == 0xff80 ? -1 : 0;
}
#endif

#endif
