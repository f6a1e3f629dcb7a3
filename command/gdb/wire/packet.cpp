// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/wire/packet.h"

#include <algorithm>
#include <utility>

namespace heddle::command::gdb {
namespace {

constexpr char interrupt_character = 3;
constexpr char escape_character = '}';
constexpr char escape_bit = 0x20;
constexpr char digits[] = "0123456789abcdef";

int digit_value(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

unsigned char checksum_of(std::string_view text) {
    unsigned char sum = 0;
    for (const char c : text) sum = static_cast<unsigned char>(sum + static_cast<unsigned char>(c));
    return sum;
}

/// What escapes stand for.
std::string resolved(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == escape_character && i + 1 < text.size()) {
            plain += static_cast<char>(text[++i] ^ escape_bit);
        } else {
            plain += text[i];
        }
    }
    return plain;
}

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '$' || c == '#' || c == '*' || c == escape_character) {
            out += escape_character;
            out += static_cast<char>(c ^ escape_bit);
        } else {
            out += c;
        }
    }
    return out;
}

/// "0000" becomes "0* ": a character, and how often it comes again, plus 29. Some counts would be
/// characters with a meaning of their own.
std::string with_repeats(std::string_view text) {
    constexpr std::size_t least = 3;
    constexpr std::size_t most = 97;
    constexpr std::size_t offset = 29;
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        std::size_t again = 0;
        while (again < most && i + again + 1 < text.size() && text[i + again + 1] == text[i]) {
            ++again;
        }
        while (again >= least) {
            const char count = static_cast<char>(again + offset);
            if (count != '#' && count != '$' && count != '+' && count != '-') break;
            --again;
        }
        out += text[i];
        if (again < least) {
            ++i;
            continue;
        }
        out += '*';
        out += static_cast<char>(again + offset);
        i += again + 1;
    }
    return out;
}

}  // namespace

std::optional<received> packet_reader::next() {
    for (;;) {
        if (searched_ == 0) {
            // Acknowledgements, and noise of the line.
            const auto begins = [](char c) { return c == '$' || c == interrupt_character; };
            bytes_.erase(bytes_.begin(), std::find_if(bytes_.begin(), bytes_.end(), begins));
            if (bytes_.empty()) return std::nullopt;
            if (bytes_[0] == interrupt_character) {
                bytes_.erase(0, 1);
                return received{received::kind::interrupt, {}};
            }
            searched_ = 1;
        }
        const std::size_t end = bytes_.find_first_of("#$", searched_);
        if (end != std::string::npos && bytes_[end] == '$') {
            // The last packet has lost its end.
            bytes_.erase(0, end);
            searched_ = 0;
            if (std::exchange(too_long_, false)) return received{received::kind::broken, {}};
            continue;
        }
        if (end == std::string::npos || bytes_.size() < end + 3) {
            searched_ = end == std::string::npos ? bytes_.size() : end;
            if (searched_ > packet_limit) {
                too_long_ = true;
                bytes_.erase(1, searched_ - 1);
                searched_ = 1;
            }
            return std::nullopt;
        }
        const std::string body = bytes_.substr(1, end - 1);
        const int high = digit_value(bytes_[end + 1]);
        const int low = digit_value(bytes_[end + 2]);
        bytes_.erase(0, end + 3);
        searched_ = 0;
        const bool whole = !std::exchange(too_long_, false) && body.size() <= packet_limit;
        if (!whole || high < 0 || low < 0 || high * 16 + low != checksum_of(body)) {
            return received{received::kind::broken, {}};
        }
        return received{received::kind::packet, resolved(body)};
    }
}

std::string framed(std::string_view payload) {
    const std::string body = with_repeats(escaped(payload));
    const unsigned char sum = checksum_of(body);
    return '$' + body + '#' + digits[sum >> 4] + digits[sum & 15];
}

std::string to_hex(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = digit_value(text[i]);
        const int low = digit_value(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

std::string little_endian(unsigned long long value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i, value >>= 8U) text += static_cast<char>(value & 0xff);
    return to_hex(text);
}

unsigned long long packet_fields::number() {
    constexpr std::size_t most_digits = 16;
    unsigned long long value = 0;
    std::size_t count = 0;
    while (count < left_.size() && digit_value(left_[count]) >= 0) {
        value = value << 4U | static_cast<unsigned>(digit_value(left_[count]));
        ++count;
    }
    if (count == 0 || count > most_digits) {
        fail();
        return 0;
    }
    left_.remove_prefix(count);
    return value;
}

unsigned long long packet_fields::thread() {
    if (take("-1")) return ~0ULL;
    return number();
}

void packet_fields::skip(char separator) {
    if (!left_.empty() && left_[0] == separator) {
        left_.remove_prefix(1);
    } else {
        fail();
    }
}

bool packet_fields::take(std::string_view word) {
    if (left_.substr(0, word.size()) != word) return false;
    left_.remove_prefix(word.size());
    return true;
}

std::string_view packet_fields::until(char separator) {
    const std::size_t end = std::min(left_.find(separator), left_.size());
    const std::string_view field = left_.substr(0, end);
    left_.remove_prefix(end);
    return field;
}

std::string_view packet_fields::characters(std::size_t count) {
    if (count > left_.size()) {
        fail();
        return {};
    }
    const std::string_view field = left_.substr(0, count);
    left_.remove_prefix(count);
    return field;
}

}  // namespace heddle::command::gdb
