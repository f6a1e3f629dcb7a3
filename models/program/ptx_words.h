// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/program/ptx_tables.h"

/// Words of PTX in asm statements, and where the tables have them.
namespace heddle::program::ptx {

using words = std::vector<std::string>;

inline const ptx_type* find_type(std::string_view name) {
    const auto* const found = std::find_if(std::begin(ptx_types), std::end(ptx_types),
                                           [&](const ptx_type& each) { return each.name == name; });
    return found == std::end(ptx_types) ? nullptr : found;
}

inline bool is_one_of(std::string_view word, const std::string_view* begin,
                      const std::string_view* end) {
    return std::find(begin, end, word) != end;
}

inline words split(const std::string& text, char at) {
    words parts(1);
    int depth = 0;
    for (const char c : text) {
        if (c == '[' || c == '{' || c == '(') ++depth;
        if (c == ']' || c == '}' || c == ')') --depth;
        if (c == at && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

inline std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\n\r");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t\n\r") - begin + 1);
}

template <std::size_t n>
const char* find(const std::pair<std::string_view, const char*> (&table)[n],
                 std::string_view name) {
    for (const auto& [key, text] : table) {
        if (key == name) return text;
    }
    return nullptr;
}

/// Whether a part of a name means nothing here.
inline bool is_idle(std::string_view part) {
    return is_one_of(part, std::begin(idle_parts), std::end(idle_parts)) ||
           is_one_of(part, std::begin(spaces), std::end(spaces)) || part.find("L1::") == 0 ||
           part.find("L2::") == 0;
}

}  // namespace heddle::program::ptx
