// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/program/value_layout.h"

namespace heddle::command {

/// A type of numbers that buffers hold: their size, and how texts become bytes and bytes texts.
struct element_type {
    const char* name;  ///< i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 bool
    program::layout_field::kind what;
    std::uint32_t size;
    double highest;  ///< value; infinite for real types
    /// Exactly the number of `text`. False, with nothing written, if the type has no such number;
    /// an unsigned integer may be given as signed: -1 is the largest.
    bool (*parse)(std::string_view text, std::byte* to);
    void (*encode)(double value, std::byte* to);
    /// The shortest text that parse() turns into the same bytes.
    std::string (*print)(const std::byte* from);
    double (*value)(const std::byte* from);

    [[nodiscard]] bool is_real() const noexcept {
        return what == program::layout_field::kind::floating;
    }
};

/// By name or by what a field holds; null if there is no such type.
const element_type* find_element(std::string_view name);
const element_type* find_element(const program::layout_field& field);

/// "i8 u8 ...", for messages.
std::string element_names();

}  // namespace heddle::command
