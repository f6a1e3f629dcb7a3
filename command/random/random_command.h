// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

namespace heddle::command {

/// `heddle random`, as typed.
struct random_request {
    std::uint64_t seed = 1;
    unsigned kernels = 1;
    std::string output;  ///< empty: standard output
    bool opencl = false;
    bool atomics = false;  ///< on global memory
    std::string shrink;    ///< a command that fails for the program; empty: none
};

/// Writes a program of random divergent kernels, k0, k1, ..., the same for the same seed. With
/// `shrink` the command is run with the program's file behind it, and the kernel is cut down to the
/// smallest for which it still fails. Throws configuration_error.
void random(const random_request& request);

}  // namespace heddle::command
