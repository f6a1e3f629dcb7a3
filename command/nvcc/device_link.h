// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::command {

/// What objects that were compiled with -rdc=true leave to the link.
struct device_parts {
    std::vector<std::string> bitcode;  ///< device halves
    /// Names of functions that register the kernels of one object each. Objects call them, and
    /// none has them.
    std::vector<std::string> registrations;
};

/// Looks through the objects and archives among the words of a link; `-lNAME` is an archive that
/// lies in a folder of -L.
[[nodiscard]] device_parts find_device_parts(const std::vector<std::string>& words);

/// A C source that has these functions. They register the program in the file `blob`.
[[nodiscard]] std::string registration_source(const std::vector<std::string>& registrations,
                                              const std::string& blob);

}  // namespace heddle::command
