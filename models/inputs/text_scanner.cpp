// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/text_scanner.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "models/base/attention.h"
#include "models/base/error.h"

namespace heddle::inputs {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr std::size_t longest_line = std::size_t{1} << 28;  // bytes

/// Printable text of at most 40 bytes, in quotes.
std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    constexpr const char* digits = "0123456789abcdef";
    std::string result = "'";
    for (const char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            result += c;
        } else {
            result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return result + (text.size() > longest ? "...'" : "'");
}

}  // namespace

text_scanner::text_scanner(const std::string& file) try
    : file_(file), source_(file), buffer_(block_bytes) {
    line_begin_ = line_end_ = at_ = last_field_ = next_line_ = data_end_ = buffer_.data();
} catch (const source_error& error) {
    throw configuration_error("input file " + file + ": " + error.what());
}

bool text_scanner::next_line() {
    const char* searched = next_line_;
    const void* newline = nullptr;
    while ((newline = std::memchr(searched, '\n',
                                  static_cast<std::size_t>(data_end_ - searched))) == nullptr) {
        const std::ptrdiff_t known = data_end_ - next_line_;
        if (!refill()) break;
        searched = next_line_ + known;
    }
    if (newline == nullptr && next_line_ == data_end_) return false;  // the last line stays
    line_begin_ = at_ = last_field_ = next_line_;
    line_end_ = newline != nullptr ? static_cast<const char*>(newline) : data_end_;
    next_line_ = newline != nullptr ? line_end_ + 1 : data_end_;
    bytes_ += static_cast<std::uint64_t>(next_line_ - line_begin_);
    ++line_;
    if (line_end_ != line_begin_ && line_end_[-1] == '\r') --line_end_;
    return true;
}

bool text_scanner::refill() {
    if (source_ended_) return false;
    attention::throw_if_interrupted("reading an input file");
    const auto rest = static_cast<std::size_t>(data_end_ - next_line_);
    if (rest >= longest_line) {
        throw_at(line_ + 1, 1,
                 "found a line of more than " + std::to_string(longest_line) +
                     " bytes, expected a text file");
    }
    // The current line goes: there is no error to report in it any more.
    std::memmove(buffer_.data(), next_line_, rest);
    if (buffer_.size() - rest < block_bytes / 2) buffer_.resize(2 * buffer_.size());
    char* const free = buffer_.data() + rest;
    std::size_t count = 0;
    try {
        count = source_.read(free, buffer_.size() - rest);
    } catch (const source_error& error) {
        throw_at(line_ + 1, rest + 1, error.what());
    }
    source_ended_ = count == 0;
    line_begin_ = line_end_ = at_ = last_field_ = next_line_ = buffer_.data();
    data_end_ = free + count;
    return !source_ended_;
}

bool text_scanner::next_line_of_data(std::string_view comments) {
    while (next_line()) {
        if (next_field() && comments.find(peek()) == std::string_view::npos) return true;
    }
    return false;
}

double text_scanner::real(const char* what) {
    next_field();
    // from_chars takes no '+', but other programs write it.
    const bool plus = line_end_ - at_ >= 2 && *at_ == '+' && at_[1] != '-';
    double value = 0;
    const auto [end, error] = std::from_chars(at_ + (plus ? 1 : 0), line_end_, value);
    const bool whole = error == std::errc() && (end == line_end_ || is_blank(*end));
    if (!whole || !std::isfinite(value)) {
        fail(std::string(what) + ", a number of magnitude 0 or 4.9e-324 to 1.8e308");
    }
    last_field_ = at_;
    at_ = end;
    return value;
}

std::string_view text_scanner::word() noexcept {
    next_field();
    last_field_ = at_;
    while (at_ != line_end_ && !is_blank(*at_)) ++at_;
    return {last_field_, static_cast<std::size_t>(at_ - last_field_)};
}

std::string text_scanner::found() const {
    if (at_ == line_end_) return line_begin_ == line_end_ ? "an empty line" : "the end of the line";
    const char* end = std::find_if(at_, line_end_, is_blank);
    return quoted({at_, static_cast<std::size_t>(end - at_)});
}

void text_scanner::fail(const std::string& expected) {
    next_field();
    throw_at(line_, static_cast<std::uint64_t>(at_ - line_begin_) + 1,
             "found " + found() + ", expected " + expected);
}

void text_scanner::fail_at_last(const std::string& expected) {
    at_ = last_field_;
    fail(expected);
}

void text_scanner::fail_number(const char* what, const std::string& low, const std::string& high) {
    fail(std::string(what) + ", an integer from " + low + " to " + high);
}

void text_scanner::fail_at_end(const std::string& expected) const {
    throw_at(line_ + 1, 1, "found the end of the file, expected " + expected);
}

void text_scanner::throw_at(std::uint64_t line, std::uint64_t column,
                            const std::string& what) const {
    throw configuration_error(file_ + ':' + std::to_string(line) + ':' + std::to_string(column) +
                              ": " + what);
}

std::size_t text_scanner::reservation(std::uint64_t promised, std::uint64_t bytes_each) const {
    return static_cast<std::size_t>(std::min(promised, source_.file_bytes() / bytes_each + 1));
}

}  // namespace heddle::inputs
