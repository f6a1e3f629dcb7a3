// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/statistics.h"

#include <stdexcept>

namespace heddle {

void statistics::declare(std::string_view scope, const statistic_declaration* table,
                         std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::string name = std::string(scope) + "." + table[i].name;
        if (!positions_.emplace(name, entries_.size()).second) {
            throw std::logic_error("statistic " + name + ": declared twice");
        }
        entries_.push_back({std::move(name), table[i].unit, table[i].description, {}});
    }
}

const statistic* statistics::find(std::string_view name) const {
    const auto found = positions_.find(name);
    return found == positions_.end() ? nullptr : &entries_[found->second];
}

void statistics::put(std::string_view name, statistic_value value) {
    const auto found = positions_.find(name);
    if (found == positions_.end()) {
        throw std::logic_error("statistic " + std::string(name) + ": not declared");
    }
    entries_[found->second].value = std::move(value);
}

void statistics::unset() noexcept {
    for (statistic& s : entries_) s.value = std::monostate();
}

void statistics::reject_negative(std::string_view name) {
    throw std::logic_error("statistic " + std::string(name) + ": a count can't be negative");
}

}  // namespace heddle
