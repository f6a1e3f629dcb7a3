/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Numbers of 16 bits, 10 of them behind the point: __half, and __half2 of two. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#if defined(__cplusplus)
#include "heddle_cuda/small_float_conversions.h"

HEDDLE_SMALL_TYPES(__half, __half2, __half_raw, __half2_raw, half_format)
HEDDLE_SMALL_FUNCTIONS(__half, __half2)
HEDDLE_SMALL_CONVERSIONS(__half, __half2, __half_raw, half, half2, half_format)
#if defined(__CUDA__)
HEDDLE_SMALL_DEVICE(__half, __half2)
#endif

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

HEDDLE_SMALL __half2 __halves2half2(__half x, __half y) {
    return __half2(x, y);
}
/* 1, -1 or 0: infinite. */
HEDDLE_SMALL int __hisinf(__half x) {
    return x.__x == 0x7c00 ? 1 : x.__x == 0xfc00 ? -1 : 0;
}

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00U)
#endif

#endif
