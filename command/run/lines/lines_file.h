// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/smx/pipeline/code_profile.h"
#include "models/base/output_file.h"
#include "models/base/statistics.h"

namespace heddle::command {

/// The columns of `--lines`: what an instruction is, what it did, and its cycles by cause
/// (scheduler_statistics without their scope).
[[nodiscard]] std::vector<statistic_declaration> line_columns();

/// Completes the file of `--lines`. It has a row for each instruction that cost something, then one
/// for what belongs to none. CSV; if the name ends in ".json": {"columns": [{"name", "unit",
/// "description"}, ...], "rows": [[value, ...], ...]}, where what is unknown is null.
void write_lines(output_file& file, const code_costs& costs);

}  // namespace heddle::command
