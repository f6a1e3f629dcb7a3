// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle {

struct gpu_configuration;
struct gpu_options;

/// What keeps a run on one thread, however many gpu_options::threads has: something that hears of
/// events of several parts in their order, or RTL. Empty if nothing does.
[[nodiscard]] std::string why_one_thread(const gpu_configuration& configuration,
                                         const gpu_options& options);

}  // namespace heddle
