// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle {

/// A table for the terminal: columns as wide as their widest cell, two spaces between them, a rule
/// under the header, no trailing blanks. Without any header text there is neither header nor rule.
class text_table {
public:
    enum class align { left, right };
    struct column {
        std::string header;
        align alignment = align::left;
    };

    explicit text_table(std::vector<column> columns) : columns_(std::move(columns)) {}

    /// Missing cells are empty; more cells than columns throw std::invalid_argument.
    void add_row(std::vector<std::string> cells);
    /// Lines end in '\n'. Widths count UTF-8 code points.
    [[nodiscard]] std::string str() const;

private:
    std::vector<column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace heddle
