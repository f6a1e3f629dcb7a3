// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

/// CUDA's vocabulary for kernels that run on Heddle's machine. Kernels are C++20 without
/// exceptions, run-time type information and a standard library.
///
///     #include <heddle.h>
///     __global__ void saxpy(unsigned n, float a, const float* x, float* y) {
///         unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
///         if (i < n) y[i] = a * x[i] + y[i];
///     }
///
/// What differs from CUDA: no templates as kernels (wrap them), `__shared__` arrays of constant
/// size only (heddle::dynamic_shared for the launch's), masks of `_sync` functions are not looked
/// at (the lanes that are active take part), and locks go through heddle::warp_lock.

#include "heddle/atomic.h"
#include "heddle/branch.h"
#include "heddle/cooperation.h"
#include "heddle/launch.h"
#include "heddle/lock.h"
#include "heddle/math.h"
#include "heddle/memory.h"
#include "heddle/print.h"
#include "heddle/qualifiers.h"
#include "heddle/thread.h"
#include "heddle/transaction.h"
#include "heddle/warp.h"
