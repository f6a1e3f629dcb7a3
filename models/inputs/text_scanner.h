// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/inputs/text_source.h"

namespace heddle::inputs {

/// Lines and their fields of a text file, which may be gzipped. Fields are separated by blanks and
/// tabs; lines end in '\n' or '\r\n'. The file is read in blocks: at most a block and one line
/// are in memory.
///
/// Every error is a configuration_error "FILE:LINE:COLUMN: found ..., expected ...", with lines and
/// columns from 1, columns in bytes.
class text_scanner {
public:
    /// Throws if the file can't be opened.
    explicit text_scanner(const std::string& file);

    /// Goes to the start of the next line; false at the end of the file. Throws for a read error,
    /// damaged gzip data, and a line of more than 2^28 bytes.
    bool next_line();
    /// Goes to the next line that has a field and does not start with one of the bytes `comments`.
    bool next_line_of_data(std::string_view comments);
    /// Goes on to the next field of the line; false if there is none.
    bool next_field() noexcept {
        while (at_ != line_end_ && is_blank(*at_)) ++at_;
        return at_ != line_end_;
    }
    /// First byte of the field that next_field() found.
    [[nodiscard]] char peek() const noexcept { return *at_; }

    /// Takes the next field, which must be an integer from `low` to `high`; `what` names it in
    /// the error message, as "a row".
    std::uint64_t integer(std::uint64_t low, std::uint64_t high, const char* what) {
        return number(low, high, what);
    }
    std::int64_t signed_integer(std::int64_t low, std::int64_t high, const char* what) {
        return number(low, high, what);
    }
    /// Takes the next field, which must be a finite decimal number.
    double real(const char* what);
    /// Takes the next field; empty if there is none.
    std::string_view word() noexcept;
    /// The whole line, blanks included, without its end.
    [[nodiscard]] std::string_view whole_line() const noexcept {
        return {line_begin_, static_cast<std::size_t>(line_end_ - line_begin_)};
    }
    /// The line must have no further field.
    void end_line(const char* expected = "the end of the line") {
        if (next_field()) fail(expected);
    }

    /// Throws: at the next field, found this field (or the end of the line), expected ...
    [[noreturn]] void fail(const std::string& expected);
    /// The same at the field that was taken last.
    [[noreturn]] void fail_at_last(const std::string& expected);
    /// Throws at the position behind the last line.
    [[noreturn]] void fail_at_end(const std::string& expected) const;

    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    /// Number of the current line.
    [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
    /// Text bytes up to the end of the current line.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    /// How many items of at least `bytes_each` to reserve memory for when a header promises
    /// `promised`: no more than the file can hold. gzip may pack closer; then vectors grow.
    [[nodiscard]] std::size_t reservation(std::uint64_t promised, std::uint64_t bytes_each) const;

private:
    static bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
    template <class Integer>
    Integer number(Integer low, Integer high, const char* what);
    /// Moves what follows the current line to the front of the buffer and reads more behind it.
    bool refill();
    [[noreturn]] void fail_number(const char* what, const std::string& low,
                                  const std::string& high);
    [[noreturn]] void throw_at(std::uint64_t line, std::uint64_t column,
                               const std::string& what) const;
    [[nodiscard]] std::string found() const;

    std::string file_;
    text_source source_;
    std::vector<char> buffer_;
    const char* line_begin_ = nullptr;
    const char* line_end_ = nullptr;  ///< without the line's end
    const char* at_ = nullptr;
    const char* last_field_ = nullptr;
    const char* next_line_ = nullptr;
    const char* data_end_ = nullptr;
    bool source_ended_ = false;
    std::uint64_t line_ = 0;
    std::uint64_t bytes_ = 0;
};

template <class Integer>
Integer text_scanner::number(Integer low, Integer high, const char* what) {
    next_field();
    Integer value{};
    const auto [end, error] = std::from_chars(at_, line_end_, value);
    const bool whole = error == std::errc() && (end == line_end_ || is_blank(*end));
    if (!whole || value < low || value > high) {
        fail_number(what, std::to_string(low), std::to_string(high));
    }
    last_field_ = at_;
    at_ = end;
    return value;
}

}  // namespace heddle::inputs
