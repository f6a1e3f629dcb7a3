// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle::inputs {

/// The file that load_graph() or load_strings() would read for the text; empty for a generator, and
/// for what both would refuse.
[[nodiscard]] std::string input_file(const std::string& input);

/// Every format and generator with its arguments: defaults, legal values, meaning. For the
/// terminal.
[[nodiscard]] std::string describe_inputs();

}  // namespace heddle::inputs
