// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>

#include "models/random_kernels/random_kernel.h"

namespace heddle::iss {

/// The smallest kernel that still fails and is got from `failing` by steps that each leave a kernel
/// that still fails: a function or statement is left out, or an arm, a body or a case of a
/// statement stands in its place. `fails` is asked for each step that is tried.
[[nodiscard]] kernel_tree shrunk(kernel_tree failing,
                                 const std::function<bool(const kernel_tree&)>& fails);

/// Statements of a kernel and its functions, those within others included.
[[nodiscard]] std::size_t statement_count(const kernel_tree& kernel) noexcept;

}  // namespace heddle::iss
