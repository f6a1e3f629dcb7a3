// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <vector>

#include "models/random_kernels/random_kernel.h"

namespace heddle::iss {

/// Kernels that are a step simpler, the longest steps first: statements removed or replaced by
/// their parts, a function less that nobody calls. Each is as defined as `kernel`.
[[nodiscard]] std::vector<kernel_tree> simpler(const kernel_tree& kernel);

/// Takes such steps as long as they lead to a kernel that fails.
[[nodiscard]] kernel_tree shrunk(kernel_tree failing,
                                 const std::function<bool(const kernel_tree&)>& fails);

/// Statements of a kernel and its functions, those within others included.
[[nodiscard]] std::size_t statement_count(const kernel_tree& kernel) noexcept;

}  // namespace heddle::iss
