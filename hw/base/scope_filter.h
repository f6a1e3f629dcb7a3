// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Whether the glob pattern (* ? [abc]) matches `name` or a scope that contains it.
[[nodiscard]] bool scope_selected(const std::string& pattern, const std::string& name);

/// Chooses what is shown of a netlist, by glob patterns over hierarchical names. It remembers the
/// names that it was asked about, so that the message for a pattern that selects nothing can list
/// them.
class scope_filter {
public:
    /// Without patterns everything is selected.
    explicit scope_filter(std::vector<std::string> patterns);

    /// While the netlist is built; O(patterns).
    [[nodiscard]] bool selects(const std::string& name);

    /// Patterns that have selected nothing so far.
    [[nodiscard]] std::vector<std::string> unmatched() const;
    /// The blocks of the names that it was asked about, sorted: "gpu.kmu" for "gpu.kmu.hwq_0.head".
    [[nodiscard]] const std::vector<std::string>& blocks() const noexcept { return blocks_; }

private:
    std::vector<std::string> patterns_;
    std::vector<bool> used_;
    std::vector<std::string> blocks_;
};

/// Joins numbered names: {"kmu", "smx_0", ..., "smx_12"} become "kmu", "smx_0..12".
[[nodiscard]] std::vector<std::string> with_ranges(const std::vector<std::string>& names);

}  // namespace heddle
