// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heddle::command {

/// Rows of cells under named columns.
struct listing {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows{};

    [[nodiscard]] std::string text() const;             ///< for the terminal
    [[nodiscard]] nlohmann::ordered_json json() const;  ///< an array of objects
    /// One of the two; JSON ends in a line break.
    [[nodiscard]] std::string show(bool as_json) const;
};

}  // namespace heddle::command
