// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle::isa {

/// The instruction set reference (docs/isa.md) in Markdown, made from instruction_table.def and the
/// CSR table. Ends in a newline.
[[nodiscard]] std::string reference_page();

}  // namespace heddle::isa
