// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle::command {

/// Lets Ctrl-C end the run on either device with its partial results; a second one ends the
/// process.
void install_interrupt_handler();

/// Whether Ctrl-C was pressed.
[[nodiscard]] bool interrupted();

}  // namespace heddle::command
