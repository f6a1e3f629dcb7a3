// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::command {

namespace {

using program::layout_field;
using program::value_layout;

std::string field_type(const layout_field& field) {
    const element_type* const type = find_element(field);
    std::string text = type != nullptr ? type->name
                       : field.what == layout_field::kind::bytes
                           ? fmt::format("{} bytes", field.size)
                           : fmt::format("a number of {} bytes", field.size);
    return field.count == 1 ? text : fmt::format("{}[{}]", text, field.count);
}

std::string place(const layout_field& field) {
    return fmt::format("{} at byte {}", field_type(field), field.offset);
}

/// Bytes without a type take any numbers in their place.
bool same_type(const layout_field& a, const layout_field& b) {
    const bool untyped = a.what == layout_field::kind::bytes || b.what == layout_field::kind::bytes;
    if (untyped) return a.size * a.count == b.size * b.count;
    return a.what == b.what && a.size == b.size && a.count == b.count;
}

const layout_field* find(const value_layout& layout, const std::string& name) {
    const auto found = std::find_if(layout.fields.begin(), layout.fields.end(),
                                    [&](const layout_field& field) { return field.name == name; });
    return found == layout.fields.end() ? nullptr : &*found;
}

}  // namespace

value_layout layout_of(const element_type& type) {
    return {type.size, {{"", type.what, 0, type.size, 1}}};
}

std::string type_name(const value_layout& layout) {
    if (layout.is_record()) return "record";
    return layout.fields.empty() ? fmt::format("{} bytes", layout.size)
                                 : field_type(layout.fields.front());
}

std::string number_text(const layout_field& field, const std::byte* number) {
    if (const element_type* const type = find_element(field)) return type->print(number);
    std::string text = "0x";
    for (std::uint32_t i = 0; i < field.size; ++i) {
        text += fmt::format("{:02x}", std::to_integer<unsigned>(number[i]));
    }
    return text;
}

std::string value_text(const value_layout& layout, const std::byte* value) {
    std::string text;
    for (const layout_field& field : layout.fields) {
        std::string numbers;
        for (std::uint32_t i = 0; i < field.count; ++i) {
            const std::byte* const at = value + field.offset + std::size_t{i} * field.size;
            numbers += (i == 0 ? "" : " ") + number_text(field, at);
        }
        if (field.count != 1) numbers = "[" + numbers + "]";
        text += (text.empty() ? "" : ", ") + numbers;
    }
    return layout.is_record() ? "(" + text + ")" : text;
}

std::vector<std::string> layout_differences(const value_layout& kernel, const value_layout& file) {
    std::vector<std::string> differences;
    for (const layout_field& own : kernel.fields) {
        const layout_field* const other = find(file, own.name);
        if (other == nullptr) {
            differences.push_back(
                fmt::format("the file has no '{}' ({} in the kernel)", own.name, place(own)));
        } else if (!same_type(own, *other) || own.offset != other->offset) {
            differences.push_back(fmt::format("'{}' is {} in the kernel, {} in the file", own.name,
                                              place(own), place(*other)));
        }
    }
    for (const layout_field& other : file.fields) {
        if (find(kernel, other.name) == nullptr) {
            differences.push_back(
                fmt::format("the kernel has no '{}' ({} in the file)", other.name, place(other)));
        }
    }
    if (kernel.size != file.size) {
        differences.push_back(fmt::format("a record has {} bytes in the kernel, {} in the file",
                                          kernel.size, file.size));
    }
    return differences;
}

}  // namespace heddle::command
