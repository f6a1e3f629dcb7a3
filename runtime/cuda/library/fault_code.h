// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/cuda/include/driver_types.h"
#include "runtime/protocol/wire.h"

namespace heddle::cuda {

/// CUDA's error for what has ended the device.
[[nodiscard]] cudaError_t fault_code(const runtime::connection_error& why);

}  // namespace heddle::cuda
