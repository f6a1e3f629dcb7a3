// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string_view>
#include <vector>

#include "models/workloads/workload.h"

namespace heddle::workloads {

/// Every workload, by ascending name.
const std::vector<workload>& all_workloads();

/// PROGRAM/INPUT for the programs of papers with their inputs, by ascending name. An alias is
/// a workload with another default input, and with options that a user may still change.
const std::vector<workload>& workload_aliases();

/// A workload or an alias; null if there is none of this name.
const workload* look_up(std::string_view name);

/// The same. Throws configuration_error with the nearest name, and all of them, if there is none.
const workload& find_workload(std::string_view name);

/// The compiled device program of the workload.
std::string program_file(const workload& which);

/// Throws configuration_error for options, an input or a mode that run_workload() would refuse
/// before it touches the device. Input files are not read.
void check_options(const workload& which, const workload_options& options);

/// Loads the workload's device program into the device, runs its host program and checks the
/// results. The device has no program yet. A wrong result is in the report (require_correct()).
///
/// Throws configuration_error for unusable options or inputs (before the device is touched), and
/// what the device throws.
workload_report run_workload(const workload& which, device& gpu, const workload_options& options);

}  // namespace heddle::workloads
