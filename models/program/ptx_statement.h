// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::program {

/// Statements of C++ that do what PTX does (heddle_cuda/ptx.h has the functions that they call).
/// `operands` stand for %0, %1 ... Nothing for text that has an instruction or a special register
/// that is not known, a label, or a branch. Loads of a volatile statement take no old copy from an
/// L1.
[[nodiscard]] std::optional<std::string> translate_ptx(const std::string& text,
                                                       const std::vector<std::string>& operands,
                                                       bool is_volatile = false);

}  // namespace heddle::program
