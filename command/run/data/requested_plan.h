// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>

#include "command/run/data/launch_plan.h"
#include "command/run/run_command.h"

namespace heddle::command {

/// What a request launches: the kernel of an ELF file as the options say, or the launches of a
/// script; none for a workload. Throws configuration_error about options and script.
std::optional<launch_plan> plan_of(const run_request& request);

}  // namespace heddle::command
