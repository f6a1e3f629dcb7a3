// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace heddle::command {

namespace {

using kind = program::layout_field::kind;

template <class T>
std::optional<T> parse_as(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class T>
void store(T value, std::byte* to) {
    std::memcpy(to, &value, sizeof value);
}

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class T>
bool parse_real(std::string_view text, std::byte* to) {
    const auto value = parse_as<double>(text);
    if (value) store(static_cast<T>(*value), to);
    return value.has_value();
}

/// Digits become exactly their integer; 1e3 and 5.0 go by way of a double.
template <class T>
bool parse_integer(std::string_view text, std::byte* to) {
    using limits = std::numeric_limits<T>;
    constexpr auto low = std::numeric_limits<std::make_signed_t<T>>::min();
    if (const auto whole = parse_as<std::int64_t>(text)) {
        const bool fits = *whole < 0 ? *whole >= low
                                     : static_cast<std::uint64_t>(*whole) <=
                                           static_cast<std::uint64_t>(limits::max());
        if (fits) store(static_cast<T>(*whole), to);
        return fits;
    }
    if (const auto whole = parse_as<std::uint64_t>(text)) {
        const bool fits = *whole <= static_cast<std::uint64_t>(limits::max());
        if (fits) store(static_cast<T>(*whole), to);
        return fits;
    }
    const auto real = parse_as<double>(text);
    if (!real || *real != std::floor(*real) || !(*real >= static_cast<double>(low))) return false;
    // The largest 64-bit integers are rounded up to what no longer fits.
    constexpr double above = 2.0 * static_cast<double>(T{1} << (limits::digits - 1));
    if (!(*real < above)) return false;
    store(*real < 0 ? static_cast<T>(static_cast<std::int64_t>(*real)) : static_cast<T>(*real), to);
    return true;
}

bool parse_boolean(std::string_view text, std::byte* to) {
    const bool yes = text == "1" || text == "True" || text == "true";
    const bool no = text == "0" || text == "False" || text == "false";
    if (yes || no) store(static_cast<std::uint8_t>(yes), to);
    return yes || no;
}

template <class T>
element_type integer(const char* name) {
    return {name, std::is_signed_v<T> ? kind::signed_integer : kind::unsigned_integer, sizeof(T),
            static_cast<double>(std::numeric_limits<T>::max()), parse_integer<T>,
            [](double value, std::byte* to) { store(static_cast<T>(value), to); },
            // A byte is a number, not a character.
            [](const std::byte* from) { return fmt::format("{}", +load<T>(from)); },
            [](const std::byte* from) { return static_cast<double>(load<T>(from)); }};
}

template <class T>
element_type real(const char* name) {
    return {name,
            kind::floating,
            sizeof(T),
            std::numeric_limits<double>::infinity(),
            parse_real<T>,
            [](double value, std::byte* to) { store(static_cast<T>(value), to); },
            [](const std::byte* from) { return fmt::format("{}", load<T>(from)); },
            [](const std::byte* from) { return static_cast<double>(load<T>(from)); }};
}

element_type boolean() {
    return {"bool",
            kind::boolean,
            1,
            1,
            parse_boolean,
            [](double value, std::byte* to) { store(static_cast<std::uint8_t>(value != 0), to); },
            [](const std::byte* from) { return fmt::format("{}", load<std::uint8_t>(from)); },
            [](const std::byte* from) { return static_cast<double>(load<std::uint8_t>(from)); }};
}

const std::array<element_type, 11>& all_types() {
    static const std::array<element_type, 11> types{integer<std::int8_t>("i8"),
                                                    integer<std::uint8_t>("u8"),
                                                    integer<std::int16_t>("i16"),
                                                    integer<std::uint16_t>("u16"),
                                                    integer<std::int32_t>("i32"),
                                                    integer<std::uint32_t>("u32"),
                                                    integer<std::int64_t>("i64"),
                                                    integer<std::uint64_t>("u64"),
                                                    real<float>("f32"),
                                                    real<double>("f64"),
                                                    boolean()};
    return types;
}

template <class Condition>
const element_type* find_type(Condition condition) {
    const auto* const found = std::find_if(all_types().begin(), all_types().end(), condition);
    return found == all_types().end() ? nullptr : found;
}

}  // namespace

const element_type* find_element(std::string_view name) {
    return find_type([&](const element_type& type) { return type.name == name; });
}

const element_type* find_element(const program::layout_field& field) {
    return find_type([&](const element_type& type) {
        return type.what == field.what && type.size == field.size;
    });
}

std::string element_names() {
    std::string names;
    for (const element_type& type : all_types()) {
        names += (names.empty() ? "" : " ") + std::string(type.name);
    }
    return names;
}

}  // namespace heddle::command
