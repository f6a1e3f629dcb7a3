// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/cuda/library/device_objects.h"

namespace heddle::cuda {

/// Where an array's elements are, for a texture or a surface over it.
void over_array(heddle_texture& made, const cudaArray& array);

/// Puts it where a kernel finds it, in order with launches.
void put_descriptor(device_objects& device, std::uint32_t address, const heddle_texture& made);

/// The address of a new one: what texture and surface objects are.
[[nodiscard]] std::uint32_t make_object(device_objects& device, const heddle_texture& made);

}  // namespace heddle::cuda
