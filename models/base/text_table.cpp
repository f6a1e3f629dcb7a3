// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/text_table.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace heddle {
namespace {

/// Code points of UTF-8 text: every byte that does not continue one.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

}  // namespace

void text_table::add_row(std::vector<std::string> cells) {
    if (cells.size() > columns_.size()) {
        throw std::invalid_argument("text_table: " + std::to_string(cells.size()) +
                                    " cells in a table of " + std::to_string(columns_.size()) +
                                    " columns");
    }
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
}

std::string text_table::str() const {
    std::vector<std::string> header;
    std::vector<std::string> rule;
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t width = width_of(columns_[i].header);
        for (const auto& row : rows_) width = std::max(width, width_of(row[i]));
        widths.push_back(width);
        header.push_back(columns_[i].header);
        rule.emplace_back(width, '-');
    }
    std::string result;
    const auto print = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string padding(widths[i] - width_of(cells[i]), ' ');
            if (i != 0) line += "  ";
            line += columns_[i].alignment == align::left ? cells[i] + padding : padding + cells[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + '\n';
    };
    if (std::any_of(header.begin(), header.end(), [](const auto& h) { return !h.empty(); })) {
        print(header);
        print(rule);
    }
    for (const auto& row : rows_) print(row);
    return result;
}

}  // namespace heddle
