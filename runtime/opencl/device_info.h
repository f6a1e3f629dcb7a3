// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/opencl/api.h"

namespace heddle::opencl {

/// What clGetDeviceInfo() says of a name. Starts the device if the machine has to be asked. Throws
/// error(CL_INVALID_VALUE) for a name that OpenCL 1.2 does not have.
void put_device_info(cl_device_info name, const info_place& place);

/// Extensions of the device.
[[nodiscard]] std::string device_extensions(bool double_precision);

}  // namespace heddle::opencl
