// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/scope_filter.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace heddle {
namespace {

std::string block_of(const std::string& name) {
    const std::size_t netlist = name.find('.');
    if (netlist == std::string::npos) return name;
    return name.substr(0, name.find('.', netlist + 1));
}

}  // namespace

bool scope_selected(const std::string& pattern, const std::string& name) {
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) {
        return true;
    }
    for (std::size_t dot = name.find('.'); dot != std::string::npos;
         dot = name.find('.', dot + 1)) {
        if (fnmatch(pattern.c_str(), name.substr(0, dot).c_str(), 0) == 0) {
            return true;
        }
    }
    return false;
}

scope_filter::scope_filter(std::vector<std::string> patterns)
    : patterns_(std::move(patterns)), used_(patterns_.size()) {}

bool scope_filter::selects(const std::string& name) {
    std::string block = block_of(name);
    const auto place = std::lower_bound(blocks_.begin(), blocks_.end(), block);
    if (place == blocks_.end() || *place != block) blocks_.insert(place, std::move(block));
    bool selected = patterns_.empty();
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        if (!scope_selected(patterns_[i], name)) continue;
        used_[i] = true;
        selected = true;
    }
    return selected;
}

std::vector<std::string> scope_filter::unmatched() const {
    std::vector<std::string> unmatched;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        if (!used_[i]) unmatched.push_back(patterns_[i]);
    }
    return unmatched;
}

std::vector<std::string> with_ranges(const std::vector<std::string>& names) {
    struct family {
        std::uint64_t first, last;
    };
    std::map<std::string, family> families;
    std::vector<std::string> result;
    for (const std::string& name : names) {
        const std::size_t digits = name.find_last_not_of("0123456789") + 1;
        constexpr std::size_t longest = 9;
        if (digits == 0 || digits == name.size() || name.size() - digits > longest ||
            name[digits - 1] != '_') {
            result.push_back(name);
            continue;
        }
        const std::uint64_t number = std::stoul(name.substr(digits));
        const auto [found, is_new] =
            families.try_emplace(name.substr(0, digits), family{number, number});
        found->second.first = std::min(found->second.first, number);
        found->second.last = std::max(found->second.last, number);
    }
    for (const auto& [name, numbers] : families) {
        std::string text = name + std::to_string(numbers.first);
        if (numbers.last != numbers.first) text += ".." + std::to_string(numbers.last);
        result.push_back(std::move(text));
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace heddle
