// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/smx/pipeline/code_profile.h"
#include "hw/top/work_log.h"
#include "models/base/statistics.h"

namespace heddle::command {

/// What tables are made from; all of it outlives the call.
struct shown_run {
    const statistics& values;  ///< of a timed run
    const std::vector<launch_record>& launches;
    const code_costs& costs;  ///< empty unless needs_code_costs()
};

/// Tables that `heddle run --show NAME` prints below the summary.
[[nodiscard]] const std::vector<std::string>& shown_table_names();

/// Whether the table of a name shows what instructions cost.
[[nodiscard]] bool needs_code_costs(const std::string& name);

/// The table of a name.
[[nodiscard]] std::string shown_table(const std::string& name, const shown_run& run);

}  // namespace heddle::command
