/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * What device code has without including anything. Host code parses it, too, and calls none. */
#ifndef HEDDLE_CUDA_DEVICE_H
#define HEDDLE_CUDA_DEVICE_H

#if defined(__CUDA_ARCH__)
/* Tells the compiler's plug-in that the source is CUDA; it goes away (pass/volatile_loads.h). */
__attribute__((used)) static __device__ char heddle_cuda_source __asm__("heddle_cuda_source");
#endif

#define HEDDLE_DEVICE static __device__ __inline__ __attribute__((always_inline))

/* The vocabulary of Heddle's own kernels, as device functions. */
#pragma push_macro("__forceinline__")
#undef __forceinline__
#define __forceinline__ __device__ __inline__ __attribute__((always_inline))
#include "heddle/atomic.h"
#include "heddle/bits.h"
#include "heddle/fast_math.h"
#include "heddle/lock.h"
#include "heddle/memory.h"
#include "heddle/thread.h"
#include "heddle/warp.h"
#pragma pop_macro("__forceinline__")

#include "heddle_cuda/bit_intrinsics.h"
#include "heddle_cuda/conversions.h"
#include "heddle_cuda/library.h"
#include "heddle_cuda/memory.h"

/* Needs the conversions. */
#include "heddle_cuda/math.h"

/* These need the functions of math.h, and questions about addresses. */
#include "heddle_cuda/atomics.h"
#include "heddle_cuda/heap.h"
#include "heddle_cuda/min_max.h"
#include "heddle_cuda/rounded.h"
#include "heddle_cuda/surface_access.h"
#include "heddle_cuda/texture_fetch.h"
#include "heddle_cuda/warp.h"
#include "heddle_cuda/wide_conversions.h"
#include "heddle_cuda/word_vectors.h"

#endif
