// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle {

/// Cores of the host that this process may use and that the quota of its cgroup pays for, at least
/// 1. More threads only wait for each other.
[[nodiscard]] unsigned host_cores();

/// Those of them that share the last level of cache with the present core: between others, data
/// take long.
[[nodiscard]] unsigned near_cores();

}  // namespace heddle
