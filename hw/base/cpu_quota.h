// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <optional>

namespace heddle {

/// Processors that the cgroups of this process pay for, the strictest of them and of those around
/// them; none: they set no limit. Versions 1 and 2. `membership` is written as /proc/self/cgroup;
/// `mounted`: where the cgroups are. In a container the process's own cgroup may be the outermost
/// one there.
[[nodiscard]] std::optional<double> cpu_quota(
    const std::filesystem::path& membership = "/proc/self/cgroup",
    const std::filesystem::path& mounted = "/sys/fs/cgroup");

}  // namespace heddle
