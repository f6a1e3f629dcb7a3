/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * What device code has without including anything. */
#ifndef HEDDLE_CUDA_DEVICE_H
#define HEDDLE_CUDA_DEVICE_H

#include "heddle_cuda/built_in_variables.h"

#endif
