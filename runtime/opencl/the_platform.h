// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/opencl/entry_points.h"

namespace heddle::opencl {

[[nodiscard]] cl_platform_id the_platform() noexcept;
/// The platform's only device.
[[nodiscard]] cl_device_id the_device() noexcept;
/// Whether a type means it. Throws error(CL_INVALID_DEVICE_TYPE) for what is no type.
[[nodiscard]] bool matches_device(cl_device_type type);
/// A list of devices, which may be left out. Throws error.
void check_devices(cl_uint count, const cl_device_id* devices);

}  // namespace heddle::opencl
