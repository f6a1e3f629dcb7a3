// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/listing.h"

#include <utility>

#include "models/base/text_table.h"

namespace heddle::command {

std::string listing::text() const {
    std::vector<text_table::column> headers;
    headers.reserve(columns.size());
    for (const std::string& name : columns) headers.push_back({name, text_table::align::left});
    text_table table(std::move(headers));
    for (const auto& row : rows) table.add_row(row);
    return table.str();
}

nlohmann::ordered_json listing::json() const {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& row : rows) {
        nlohmann::ordered_json object;
        for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i]] = row[i];
        all.push_back(std::move(object));
    }
    return all;
}

std::string listing::show(bool as_json) const {
    return as_json ? json().dump(2) + "\n" : text();
}

}  // namespace heddle::command
