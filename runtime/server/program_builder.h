// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/protocol/commands.h"

namespace heddle::runtime {

/// Compiles and links for a program; an error of the compiler is in the answer's log. Throws
/// run_error if nothing can be compiled on this computer.
[[nodiscard]] built_answer build(const build_request& request);
[[nodiscard]] built_answer link(const link_request& request);

}  // namespace heddle::runtime
