// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>
#include <string>

#include "models/simt/debugged_warp.h"

namespace heddle::command::gdb {

/// The lane of the thread that a fault's message names, if it is of this warp.
[[nodiscard]] std::optional<unsigned> fault_lane(const std::string& message,
                                                 const simt::debugged_warp& warp);

}  // namespace heddle::command::gdb
