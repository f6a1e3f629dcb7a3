// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle::program {

/// A preprocessed CUDA source with C++ in place of the asm statements whose text is PTX: text with
/// a semicolon. Statements that can't be translated keep their text, without operands, so that the
/// plug-in names it if it is device code (pass/unknown_assembly.h). Lines keep their numbers.
[[nodiscard]] std::string replace_inline_ptx(const std::string& source);

/// Whether a compiler's message is about PTX in asm statements: of the plug-in, or of operands that
/// only PTX has ("l", "d").
[[nodiscard]] bool is_about_inline_ptx(const std::string& message);

}  // namespace heddle::program
