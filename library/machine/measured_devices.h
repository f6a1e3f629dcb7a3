// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "library/machine/session.h"

namespace heddle::library {

/// The timed machine. One at a time in a process. All arguments outlive the session.
[[nodiscard]] session::maker timed_machine(const gpu_configuration& configuration,
                                           const command::timed_options& options);
/// The functional simulator.
[[nodiscard]] session::maker functional_machine(const gpu_configuration& configuration);

}  // namespace heddle::library
