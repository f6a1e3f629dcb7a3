// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string_view>

namespace heddle::program {

/// Whether a function of that name computes in double precision by software: those of libgcc, which
/// have the mode DF in their names, and those of soft/soft_math.c.
[[nodiscard]] bool is_soft_double(std::string_view function) noexcept;

}  // namespace heddle::program
