// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle::command {

/// `heddle limit_study`: what reconvergence at other places than post-dominators could save, from
/// the file of a run with --retire, also gzipped; text, or JSON with `as_json`. Throws
/// configuration_error for a file that cannot be read or is another one.
std::string limit_study(const std::string& file, bool as_json);

}  // namespace heddle::command
