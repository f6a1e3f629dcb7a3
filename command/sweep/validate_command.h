// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <istream>
#include <string>

namespace heddle::command {

/// `heddle validate`: looks at the settings of many runs and runs none of them. Each line of `in`
/// is an object of JSON:
///
///     {"config": "gf100", "set": ["l1d.mshrs=8"],
///      "what": "bfs", "option": ["block=64"], "input": "kronecker:scale=6", "mode": "cdp"}
///
/// All keys may lack; without `what` only the machine is looked at. Returns a line for each of
/// them:
/// {"configuration": {parameter: value}}, the effective configuration, or {"error": text}, what
/// `heddle run` would say. Throws configuration_error for a line that is no such object.
std::string validate(std::istream& in, const std::filesystem::path& configurations);

/// The same of a file; "-" is standard input.
std::string validate_file(const std::string& file, const std::filesystem::path& configurations);

}  // namespace heddle::command
