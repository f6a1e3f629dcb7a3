// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <string_view>

namespace heddle::workloads {

/// Who does the work that a thread finds to be large enough for threads of its own: the thread
/// itself, a kernel that it launches (CUDA dynamic parallelism), or an aggregated group (dynamic
/// thread block launch). Kernels have an entry for each (child_launch_kernel.h).
enum class launch_mode { flat, cdp, dtbl };

/// A launch mode, and whether its launches take time: what `heddle run --mode` names.
struct chosen_mode {
    launch_mode mode = launch_mode::flat;
    bool ideal = false;
};

struct named_mode {
    const char* name;
    chosen_mode chosen;
    const char* description;
};
inline constexpr named_mode named_modes[] = {
    {"flat", {launch_mode::flat, false}, "the threads"},
    {"cdp", {launch_mode::cdp, false}, "kernels that they launch"},
    {"cdp_ideal", {launch_mode::cdp, true}, "the same, launches take no time"},
    {"dtbl", {launch_mode::dtbl, false}, "aggregated groups"},
    {"dtbl_ideal", {launch_mode::dtbl, true}, "the same, launches take no time"},
};

/// Of the mode whose launches take time: the end of its entries' names.
[[nodiscard]] std::string_view name_of(launch_mode mode);
/// By its name; a configuration_error for other names.
[[nodiscard]] chosen_mode parse_mode(const std::string& name);
/// A line "NAME: DESCRIPTION" for each.
[[nodiscard]] std::string mode_text();

}  // namespace heddle::workloads
