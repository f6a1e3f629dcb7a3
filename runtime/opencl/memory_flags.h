// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>

#include "runtime/opencl/headers.h"

namespace heddle::opencl {

/// Pixels of an image in each dimension.
inline constexpr std::size_t max_image_extent = 16384;

/// Flags of memory that the host does not read, or write.
inline constexpr cl_mem_flags not_for_reading = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags not_for_writing = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

/// Throws error(CL_INVALID_VALUE) for flags that contradict each other.
void check_memory_flags(cl_mem_flags flags);

/// Read and write if they say nothing.
[[nodiscard]] cl_mem_flags with_default_access(cl_mem_flags flags);

}  // namespace heddle::opencl
