/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * What every CUDA source has: `heddle nvcc` includes this file in front of it, in both halves.
 * C++ sources that include it get the types and the functions of the runtime. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "crt/host_defines.h"
#include "heddle_cuda/host_library.h"
#include "vector_types.h"

#if defined(__CUDA__)
/* Device overloads stand beside the functions of math.h from the beginning. */
#include <__clang_cuda_math_forward_declares.h>

#include "heddle_cuda/allocation.h"
#endif

/* What sources expect to have got. */
#if defined(__cplusplus)
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>
#else
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
#include <sys/time.h>

#include "cuda_runtime_api.h"
#include "surface_types.h"
#include "vector_functions.h"
#if defined(__CUDA__)
#include "heddle_cuda/device.h"
#endif

#endif
