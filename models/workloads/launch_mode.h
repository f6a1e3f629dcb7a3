// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <string_view>

namespace heddle::workloads {

/// Who does the work that a thread finds to be large enough for threads of its own: the thread
/// itself, a kernel that it launches (CUDA dynamic parallelism), or an aggregated group (dynamic
/// thread block launch).
enum class launch_mode { flat, cdp, dtbl };

/// A launch mode, and whether its launches take time: what `heddle run --mode` names.
struct chosen_mode {
    launch_mode mode = launch_mode::flat;
    bool ideal = false;
};

/// "flat", "cdp", "dtbl".
[[nodiscard]] std::string_view name_of(launch_mode mode);
/// flat, cdp, cdp_ideal, dtbl or dtbl_ideal; a configuration_error for other names.
[[nodiscard]] chosen_mode parse_mode(const std::string& name);

}  // namespace heddle::workloads
