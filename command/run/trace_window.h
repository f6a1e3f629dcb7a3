// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/base/frequency.h"
#include "hw/base/vcd_writer.h"

namespace heddle::command {

/// What `--trace-cycles FROM:TO` means: the core cycles FROM to TO, both included, counted from 0
/// as in statistics; without FROM from the start, without TO to the end. Empty: all.
/// Throws configuration_error for anything else.
[[nodiscard]] time_window parse_trace_cycles(const std::string& text, const frequency& core);

}  // namespace heddle::command
