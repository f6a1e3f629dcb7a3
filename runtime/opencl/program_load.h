// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>

#include "runtime/opencl/objects.h"

namespace heddle::opencl {

/// Puts a program with an executable binary on its device. Throws runtime::request_refused.
[[nodiscard]] std::shared_ptr<loaded_program> load(const _cl_program& program);

}  // namespace heddle::opencl
