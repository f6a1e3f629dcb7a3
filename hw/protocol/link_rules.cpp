// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/link_rules.h"

#include <charconv>

#include "hw/base/vcd_writer.h"

namespace heddle::protocol {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

void attribute_list::add_key(std::string_view key) {
    static constexpr std::string_view separators[] = {", ", ",", " "};
    static constexpr std::string_view assignments[] = {" ", "\":", "="};
    if (!first_) out_ += separators[static_cast<unsigned>(style_)];
    first_ = false;
    out_.append(quote()).append(key) += assignments[static_cast<unsigned>(style_)];
}

void attribute_list::add(std::string_view key, std::uint64_t value) {
    add_key(key);
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out_.append(digits.data(), end.ptr);
}

void attribute_list::add_hex(std::string_view key, std::uint64_t value) {
    add_key(key);
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
    out_.append(quote()).append("0x").append(digits.data(), end.ptr).append(quote());
}

void attribute_list::add_hex(std::string_view key, const std::uint8_t* bytes, std::size_t count) {
    add_key(key);
    out_.append(quote()).append("0x");
    while (count-- != 0) {
        out_.append(1, hex_digits[bytes[count] >> 4]).append(1, hex_digits[bytes[count] & 15]);
    }
    out_.append(quote());
}

void attribute_list::add(std::string_view key, std::string_view value) {
    add_key(key);
    switch (style_) {
        case style::text:
            out_.append("'").append(value).append("'");
            break;
        case style::json:
            out_ += '"';
            append_json(out_, value);
            out_ += '"';
            break;
        case style::fields:
            out_ += vcd_token(std::string(value));
            break;
    }
}

void attribute_list::add(std::string_view key, launch_id launch) {
    if (launch.by_host()) return add(key, std::uint64_t{launch.count()});
    add(key, std::string_view(to_text(launch)));
}

void append_json(std::string& out, std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out.append("\\u00").append(1, hex_digits[byte >> 4]).append(1, hex_digits[byte & 15]);
        } else {
            out += c;
        }
    }
}

std::string illegal_value(std::string_view what, std::uint64_t value, std::string_view legal) {
    return std::string(what) + " is " + std::to_string(value) + "; legal: " + std::string(legal);
}

}  // namespace heddle::protocol
