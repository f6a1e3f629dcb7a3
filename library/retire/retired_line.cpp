// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/retire/retired_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cstring>

#include "library/retire/record_fields.h"
#include "models/base/error.h"

namespace heddle::library {
namespace {

constexpr std::string_view spaces = " \t\r\n";

std::size_t index_of(std::string_view name) {
    for (std::size_t i = 0; i < record_fields.size(); ++i) {
        if (record_fields[i].name == name) return i;
    }
    throw configuration_error(fmt::format("a record has no field '{}'", name));
}

unsigned digit_of(char digit, const record_field& field) {
    if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
    if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
    if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
    throw configuration_error(
        fmt::format("field '{}' has the digit '{}'; legal: hexadecimal digits", field.name, digit));
}

/// The numbers of a field are one number, whose bytes lie in order.
void set(heddle_retired& record, const record_field& field, std::string_view digits) {
    if (digits.empty()) throw configuration_error(fmt::format("field '{}' is empty", field.name));
    auto* const to = reinterpret_cast<std::uint8_t*>(&record) + field.offset;
    const std::size_t bytes = field.bytes * field.count();
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const unsigned digit = digit_of(digits[digits.size() - 1 - i], field);
        if (i / 2 < bytes) {
            to[i / 2] = static_cast<std::uint8_t>(to[i / 2] | digit << 4 * (i % 2));
        } else if (digit != 0) {
            throw configuration_error(
                fmt::format("field '{}' has more than {} bits", field.name, 8 * bytes));
        }
    }
}

}  // namespace

heddle_retired parsed(std::string_view line) {
    heddle_retired record{};
    record.size = sizeof record;
    std::bitset<record_fields.size()> seen;
    for (;;) {
        const std::size_t first = line.find_first_not_of(spaces);
        if (first == std::string_view::npos) break;
        line.remove_prefix(first);
        const std::string_view word = line.substr(0, line.find_first_of(spaces));
        line.remove_prefix(word.size());
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            throw configuration_error(fmt::format("'{}' is not NAME=HEXADECIMAL", word));
        }
        const std::size_t index = index_of(word.substr(0, equals));
        if (seen.test(index)) {
            throw configuration_error(
                fmt::format("field '{}' comes twice", record_fields[index].name));
        }
        seen.set(index);
        set(record, record_fields[index], word.substr(equals + 1));
    }
    if (seen.none()) throw configuration_error("the line has no field");
    return record;
}

std::string line_of(const heddle_retired& record) {
    std::string text;
    for (const record_field& field : record_fields) {
        const auto* const from = reinterpret_cast<const std::uint8_t*>(&record) + field.offset;
        std::string digits;
        for (std::size_t i = field.bytes * field.count(); i-- > 0;) {
            if (digits.empty() && from[i] == 0) continue;
            digits += fmt::format(digits.empty() ? "{:x}" : "{:02x}", from[i]);
        }
        if (digits.empty()) continue;
        if (!text.empty()) text += ' ';
        text += fmt::format("{}={}", field.name, digits);
    }
    return text;
}

}  // namespace heddle::library
