// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/top/work_log.h"
#include "models/base/statistics.h"

namespace heddle::command {

/// Tables that `heddle run --show NAME` prints below the summary.
[[nodiscard]] const std::vector<std::string>& shown_table_names();

/// The table of a name, from the statistics of a timed run.
[[nodiscard]] std::string shown_table(const std::string& name, const statistics& values,
                                      const std::vector<launch_record>& launches);

}  // namespace heddle::command
