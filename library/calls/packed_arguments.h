// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <vector>

#include "include/heddle/heddle.h"
#include "models/device/device.h"
#include "models/program/kernel.h"

namespace heddle::library {

/// The parameter buffer of a launch. Numbers get the size of the kernel's parameter, and have to
/// fit. Shared memory that arguments ask for is added to the shape. Throws configuration_error.
[[nodiscard]] std::vector<std::byte> packed_arguments(const program::kernel& kernel,
                                                      launch_shape& shape,
                                                      const heddle_argument* arguments,
                                                      std::size_t count);

}  // namespace heddle::library
