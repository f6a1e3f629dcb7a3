// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/link_rules.h"

#include <charconv>

namespace heddle::protocol {

void attribute_list::add_key(std::string_view key) {
    if (!first_) {
        out_ += style_ == style::text ? ", " : ",";
    }
    first_ = false;
    if (style_ == style::json) {
        out_ += '"';
    }
    out_ += key;
    out_ += style_ == style::json ? "\":" : " ";
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
    const std::string_view quote = style_ == style::json ? "\"" : "";
    out_.append(quote).append("0x").append(digits.data(), end.ptr).append(quote);
}

void attribute_list::add(std::string_view key, std::string_view value) {
    add_key(key);
    if (style_ == style::text) {
        out_.append("'").append(value).append("'");
        return;
    }
    out_ += '"';
    append_json(out_, value);
    out_ += '"';
}

void attribute_list::add(std::string_view key, launch_id launch) {
    if (launch.by_host()) return add(key, std::uint64_t{launch.count()});
    add(key, std::string_view(to_text(launch)));
}

void append_json(std::string& out, std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out.append("\\u00").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
        } else {
            out += c;
        }
    }
}

std::string illegal_value(std::string_view what, std::uint64_t value, std::string_view legal) {
    return std::string(what) + " is " + std::to_string(value) + "; legal: " + std::string(legal);
}

}  // namespace heddle::protocol
