// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "command/run/run_command.h"

namespace heddle::command {

/// "a/stats.json" and 2 → "a/stats.2.json"; an empty name stays empty.
[[nodiscard]] std::string numbered_file(const std::string& file, unsigned number);

/// Gives every output of the request the name that a program's `number`-th device has; those of
/// the first have the names that were asked for.
void number_files(run_request& request, unsigned number);

/// Claims the lowest number from 1 on that nobody has in this folder, by a file there that stays
/// locked until the process ends. Throws configuration_error if the folder can't be used.
[[nodiscard]] unsigned claim_number(const std::string& folder);

/// Waits until all processes that have claimed a number in this folder have ended.
void wait_for_claims(const std::string& folder);

}  // namespace heddle::command
