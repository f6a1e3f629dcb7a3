// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle::command {

/// `heddle compare A.json B.json`: what differs between two statistics files (`heddle run
/// --stats`). First what was run (seed, input, version, ...) and the configuration, key by key;
/// then the statistics: name, both values, B / A; last those of the host, which differ between
/// equal runs. What only one file has, and what was not measured, is shown as "-".
///
/// Text, or with `as_json` {"run": {name: {"a", "b"}}, "configuration": {key: {"a", "b"}},
/// "statistics": {name: {"a", "b", "ratio", "unit"}}}; a missing value or ratio is null.
/// Throws configuration_error if a file can't be read or is no statistics file.
std::string compare(const std::string& a, const std::string& b, bool as_json);

}  // namespace heddle::command
