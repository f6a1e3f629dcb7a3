// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "models/base/statistics.h"

namespace heddle::command {

/// A table of declarations, and the scope under which a run puts it: N stands for a number, NAME
/// for a kernel's name.
struct statistic_group {
    const char* scope;
    std::vector<statistic_declaration> table;
};

/// Every statistic of a run, in the order of a statistics file.
[[nodiscard]] std::vector<statistic_group> statistic_catalog();

/// docs/statistics_reference.md.
[[nodiscard]] std::string statistics_markdown();

}  // namespace heddle::command
