// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <vector>

#include "command/run/run_command.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/configuration.h"
#include "models/workloads/workload.h"

namespace heddle::command {

/// Fills the configuration behind `parameters`: the file, the settings of the user and those of the
/// launch mode. Returns the files that were read. Throws configuration_error as
/// load_configuration() does, and for a mode that the machine can't have.
std::vector<std::filesystem::path> configure(const run_request& request, parameter_list& parameters,
                                             const gpu_configuration& configuration,
                                             const std::filesystem::path& configurations);

/// The workload that the request names, or the host program's own. Throws configuration_error if
/// there is none of this name.
const workloads::workload& workload_of(const run_request& request);

/// What the request asks of a workload. Throws configuration_error for what can't be read.
workloads::workload_options options_of(const run_request& request,
                                       const workloads::workload& workload);

}  // namespace heddle::command
