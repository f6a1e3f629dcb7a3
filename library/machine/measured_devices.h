// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "library/machine/session.h"
#include "models/iss/foreign/followed_device.h"

namespace heddle::library {

/// The timed machine. One at a time in a process. All arguments outlive the session.
[[nodiscard]] session::maker timed_machine(const gpu_configuration& configuration,
                                           const command::timed_options& options);
/// The functional simulator.
[[nodiscard]] session::maker functional_machine(const gpu_configuration& configuration,
                                                const command::thread_options& threads);
/// What follows a core in lock-step; `told` gets the device, which calls may use from their own
/// thread, as nothing happens in the session's.
[[nodiscard]] session::maker followed_machine(const gpu_configuration& configuration,
                                              const iss::foreign_rules& rules,
                                              iss::followed_device*& told);

}  // namespace heddle::library
