// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Whether the glob pattern (* ? [abc]) matches `name` or a scope that it lies in.
[[nodiscard]] bool scope_selected(const std::string& pattern, const std::string& name);

/// What of a netlist is shown: hierarchical names by glob patterns. It remembers what it was asked,
/// so that a pattern that selects nothing can be answered with what there is.
class scope_filter {
public:
    /// Without patterns everything is selected.
    explicit scope_filter(std::vector<std::string> patterns);

    /// While the netlist is built; O(patterns).
    [[nodiscard]] bool selects(const std::string& name);

    /// Patterns that have selected nothing so far.
    [[nodiscard]] std::vector<std::string> unmatched() const;
    /// The blocks that names were asked of, sorted: "gpu.kmu" of "gpu.kmu.hwq_0.head".
    [[nodiscard]] const std::vector<std::string>& blocks() const noexcept { return blocks_; }

private:
    std::vector<std::string> patterns_;
    std::vector<bool> used_;
    std::vector<std::string> blocks_;
};

/// Names with their numbered families as one: {"kmu", "smx_0", ..., "smx_12"} are "kmu",
/// "smx_0..12".
[[nodiscard]] std::vector<std::string> with_ranges(const std::vector<std::string>& names);

}  // namespace heddle
