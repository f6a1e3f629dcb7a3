// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle::pass {

/// Begins the plug-in's message about PTX in an asm statement.
inline constexpr const char* unknown_assembly_text = "inline PTX is not known: ";

}  // namespace heddle::pass
