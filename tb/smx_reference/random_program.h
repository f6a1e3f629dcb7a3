// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>

#include "models/base/random.h"
#include "models/program/image.h"

namespace heddle::smx_reference {

/// The canvas (kernels/canvas_kernel.cpp) with random instructions in its kernels: arithmetic of
/// all classes, loads, stores and atomics of all windows, sizes and strides, branches, loops with
/// equal and different trip counts, barriers, fences, threads that end early. Each access is legal,
/// each loop ends, and no address and no condition depends on a value from memory.
[[nodiscard]] std::shared_ptr<const program::image> make_random_program(
    const std::string& canvas, const random_stream& random);

}  // namespace heddle::smx_reference
