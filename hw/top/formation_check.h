// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/smx_configuration.h"
#include "models/program/image.h"

namespace heddle {

/// Throws run_error(kernel_fault) that names the kernel and the instruction if threads of the
/// kernel may reach an instruction that `smx.formation` does not carry out: where threads of a warp
/// need not run together, votes, shuffles, launches and
/// transactions.
void check_kernel(formation_policy formation, const program::kernel& kernel,
                  const program::image& image);

}  // namespace heddle
