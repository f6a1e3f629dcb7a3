// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "command/gdb/debug_machine.h"
#include "command/gdb/thread_table.h"

namespace heddle::command::gdb {

/// What a command may ask.
struct monitored {
    const debug_machine& machine;
    thread_table& threads;
    named_thread chosen;  ///< that gdb looks at
};

/// gdb's "monitor COMMAND": what it prints. A command that isn't there prints those that are.
[[nodiscard]] std::string monitor_command(const std::string& text, const monitored& of);

}  // namespace heddle::command::gdb
