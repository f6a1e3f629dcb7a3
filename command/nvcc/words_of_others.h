// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "command/nvcc/nvcc_options.h"

namespace heddle::command {

/// Whether a word for the host's compiler is left out, with a warning: it is for 64 bits, for gcc
/// alone, or for C alone.
bool leave_out_host_word(nvcc_request& request, const std::string& word);

/// Leaves out folders of headers that have another toolkit's cuda_runtime.h, with a warning: most
/// Makefiles name it, and these headers must be Heddle's.
void leave_out_other_toolkits(nvcc_request& request);

}  // namespace heddle::command
