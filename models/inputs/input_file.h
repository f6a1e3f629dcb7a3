// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle::inputs {

/// The file that load_graph() or load_strings() would read for the text; empty for a generator, and
/// for what both would refuse.
[[nodiscard]] std::string input_file(const std::string& input);

/// Throws configuration_error for an input that a workload with this default would refuse: for a
/// text that is not legal, and for a file that is not there. Neither reads nor generates.
void check_input(const std::string& input, const std::string& default_input);

/// Every format and generator with its arguments: defaults, legal values, meaning. For the
/// terminal.
[[nodiscard]] std::string describe_inputs();

}  // namespace heddle::inputs
