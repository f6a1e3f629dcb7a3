// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/layout_reader.h"

#include <dwarf.h>

#include <string>
#include <utility>

#include "models/program/debug_type.h"

namespace heddle::program {

namespace {

using field_kind = layout_field::kind;

/// Far above any struct that host and kernel share; damaged debug information may promise more.
constexpr std::size_t most_struct_fields = 4096;

/// Kind of a base type, enumeration or pointer; bytes for all others.
field_kind kind_of(Dwarf_Die* type) {
    switch (dwarf_tag(type)) {
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
            return field_kind::unsigned_integer;
        case DW_TAG_enumeration_type: {
            auto base = without_names(type_of(type));
            return base && is_signed_integer(&*base) ? field_kind::signed_integer
                                                     : field_kind::unsigned_integer;
        }
        case DW_TAG_base_type:
            break;
        default:
            return field_kind::bytes;
    }
    switch (number(type, DW_AT_encoding).value_or(0)) {
        case DW_ATE_float:
            return field_kind::floating;
        case DW_ATE_boolean:
            return field_kind::boolean;
        case DW_ATE_signed:
        case DW_ATE_signed_char:
            return field_kind::signed_integer;
        case DW_ATE_unsigned:
        case DW_ATE_unsigned_char:
        case DW_ATE_UTF:
            return field_kind::unsigned_integer;
        default:
            return field_kind::bytes;
    }
}

std::uint32_t value_bytes(Dwarf_Die* type, unsigned depth = 0) {
    const int tag = dwarf_tag(type);
    if (tag == DW_TAG_array_type) {  // which has no size of its own
        auto element = without_names(type_of(type));
        if (!element || depth > deepest_nesting) return 0;
        const auto bytes =
            static_cast<std::uint32_t>(element_count(type)) * value_bytes(&*element, depth + 1);
        if (!is_vector(type)) return bytes;
        std::uint32_t power = 1;  // three elements take the room of four
        while (power < bytes && power < 256) power *= 2;
        return power;
    }
    const bool pointer = tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
                         tag == DW_TAG_rvalue_reference_type;
    return static_cast<std::uint32_t>(number(type, DW_AT_byte_size).value_or(pointer ? 4 : 0));
}

bool is_struct(Dwarf_Die* type) {
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

class layout_reader {
public:
    value_layout read(std::optional<Dwarf_Die> named) {
        auto type = without_names(named);
        if (!type) return {};
        value_layout out;
        out.size = value_bytes(&*type);
        if (out.size == 0) return {};
        add(*type, "", 0, 0);
        if (fields_.size() > most_struct_fields) {
            fields_.assign(1, {"", field_kind::bytes, 0, out.size, 1});
        }
        out.fields = std::move(fields_);
        return out;
    }

private:
    void add(Dwarf_Die type, const std::string& name, std::uint32_t offset, unsigned depth) {
        if (depth > deepest_nesting || fields_.size() > most_struct_fields) return;
        if (dwarf_tag(&type) == DW_TAG_array_type) {
            add_array(type, name, offset, depth);
        } else if (is_struct(&type)) {
            add_members(type, name, offset, depth);
        } else {
            fields_.push_back({name, kind_of(&type), offset, value_bytes(&type), 1});
        }
    }

    void add_array(Dwarf_Die type, const std::string& name, std::uint32_t offset, unsigned depth) {
        auto element = without_names(type_of(&type));
        if (!element) return;
        const auto count = static_cast<std::uint32_t>(element_count(&type));
        const std::uint32_t size = value_bytes(&*element);
        if (!is_struct(&*element) && dwarf_tag(&*element) != DW_TAG_array_type) {
            if (count != 0) fields_.push_back({name, kind_of(&*element), offset, size, count});
            return;
        }
        for (std::uint32_t i = 0; i < count && fields_.size() <= most_struct_fields; ++i) {
            add(*element, name + "[" + std::to_string(i) + "]", offset + i * size, depth + 1);
        }
    }

    void add_members(Dwarf_Die type, const std::string& name, std::uint32_t offset,
                     unsigned depth) {
        Dwarf_Die child;
        for (int more = dwarf_child(&type, &child); more == 0;
             more = dwarf_siblingof(&child, &child)) {
            const int tag = dwarf_tag(&child);
            if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
            if (dwarf_hasattr(&child, DW_AT_external) != 0) continue;  // static member
            auto member = without_names(type_of(&child));
            if (!member) continue;
            // A base class and an anonymous struct have no name: their members are the struct's.
            const char* own = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
            const bool nameless = own == nullptr && is_struct(&*member);
            const std::string dot = name.empty() || nameless ? "" : ".";
            const std::string full = name + dot + (nameless ? "" : own == nullptr ? "?" : own);
            if (const auto bits = number(&child, DW_AT_bit_size)) {
                const auto first = number(&child, DW_AT_data_bit_offset).value_or(0);
                const auto begin = static_cast<std::uint32_t>(first / 8);
                const auto end = static_cast<std::uint32_t>((first + *bits + 7) / 8);
                fields_.push_back({full, field_kind::bytes, offset + begin, end - begin, 1});
                continue;
            }
            const auto place = number(&child, DW_AT_data_member_location).value_or(0);
            add(*member, full, offset + static_cast<std::uint32_t>(place), depth + 1);
        }
    }

    std::vector<layout_field> fields_;
};

}  // namespace

value_layout read_layout(std::optional<Dwarf_Die> type) {
    return layout_reader().read(type);
}

}  // namespace heddle::program
