// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle::command {

/// Lets Ctrl-C (also SIGTERM and SIGHUP) end the run with its partial results: it raises
/// attention::interrupt. A second one removes unfinished output files and ends the process.
void install_interrupt_handler();

}  // namespace heddle::command
