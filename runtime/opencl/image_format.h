// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/opencl/headers.h"

namespace heddle::opencl {

/// Bytes of a pixel; 0 for a format that kernels can't read and write.
[[nodiscard]] std::size_t pixel_bytes(const cl_image_format& format);

/// Whether OpenCL 1.2 has such a format, for this device or another.
[[nodiscard]] bool is_format(const cl_image_format& format);

/// All that pixel_bytes() knows.
[[nodiscard]] std::vector<cl_image_format> supported_formats();

}  // namespace heddle::opencl
