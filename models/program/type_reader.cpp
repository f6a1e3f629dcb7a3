// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/type_reader.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>

#include "models/base/error.h"
#include "models/program/debug_type.h"
#include "models/program/layout_reader.h"

namespace heddle::program {

namespace {

std::string name_of(Dwarf_Die* die, const char* otherwise) {
    const char* name = dwarf_diename(die);
    return name == nullptr ? otherwise : name;
}

/// The type as a programmer writes it; function pointers shortened.
std::string spell(std::optional<Dwarf_Die> type, unsigned depth = 0) {
    if (!type) return "void";
    if (depth > deepest_nesting) return "...";
    const auto inner = [&] { return spell(type_of(&*type), depth + 1); };
    const auto suffix = [&](const std::string& text, const char* mark) {
        const bool attached = !text.empty() && (text.back() == '*' || text.back() == '&');
        return text + (attached ? "" : " ") + mark;
    };
    switch (dwarf_tag(&*type)) {
        case DW_TAG_pointer_type:
            return suffix(inner(), "*");
        case DW_TAG_reference_type:
            return suffix(inner(), "&");
        case DW_TAG_const_type: {
            const std::string text = inner();
            return text.back() == '*' ? text + "const" : "const " + text;
        }
        case DW_TAG_volatile_type:
            return "volatile " + inner();
        case DW_TAG_restrict_type:
            return inner();
        case DW_TAG_subroutine_type:
            return "function";
        default:
            return name_of(&*type, "(unnamed)");
    }
}

/// Alignment as the RISC-V ABI has it: scalars and vectors their size, aggregates their strictest
/// member; a packed structure shows by members that lie off their alignment.
std::uint32_t alignment_of(std::optional<Dwarf_Die> named, unsigned depth = 0) {
    std::uint32_t demanded = 1;
    if (named) demanded = static_cast<std::uint32_t>(number(&*named, DW_AT_alignment).value_or(1));
    auto type = without_names(named);
    if (!type || depth > deepest_nesting) return 1;
    const auto size = static_cast<std::uint32_t>(number(&*type, DW_AT_byte_size).value_or(4));
    const int tag = dwarf_tag(&*type);
    if (tag == DW_TAG_array_type && !is_vector(&*type)) {
        return std::max(demanded, alignment_of(type_of(&*type), depth + 1));
    }
    if (tag == DW_TAG_array_type) {
        const auto elements = element_count(&*type);
        auto element = without_names(type_of(&*type));
        const auto bytes = element ? number(&*element, DW_AT_byte_size).value_or(4) : 4;
        std::uint32_t power = 1;
        while (power < elements * bytes && power < 256) power *= 2;
        return power;
    }
    if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type && tag != DW_TAG_union_type) {
        return std::max(demanded, size == 0 ? 1 : size);
    }
    demanded =
        std::max(demanded, static_cast<std::uint32_t>(number(&*type, DW_AT_alignment).value_or(1)));
    Dwarf_Die child;
    for (int more = dwarf_child(&*type, &child); more == 0;
         more = dwarf_siblingof(&child, &child)) {
        const int kind = dwarf_tag(&child);
        if (kind != DW_TAG_member && kind != DW_TAG_inheritance) continue;
        if (dwarf_hasattr(&child, DW_AT_external) != 0) continue;  // static member
        std::uint32_t own = alignment_of(type_of(&child), depth + 1);
        own =
            std::max(own, static_cast<std::uint32_t>(number(&child, DW_AT_alignment).value_or(1)));
        const auto offset = number(&child, DW_AT_data_member_location).value_or(0);
        while (own > 1 && (offset % own != 0 || size % own != 0)) own /= 2;
        demanded = std::max(demanded, own);
    }
    return demanded;
}

/// C type of a base type or enumeration of the same size and signedness.
std::string scalar(Dwarf_Die* type, std::uint32_t size, bool& floating) {
    const auto encoding = number(type, DW_AT_encoding).value_or(DW_ATE_unsigned);
    floating = encoding == DW_ATE_float;
    if (floating) {
        return size == 2 ? "_Float16" : size == 4 ? "float" : size == 8 ? "double" : "long double";
    }
    if (encoding == DW_ATE_boolean && size == 1) return "_Bool";
    const std::string sign = is_signed_integer(type) ? "signed " : "unsigned ";
    switch (size) {
        case 1:
            return sign + "char";
        case 2:
            return sign + "short";
        case 4:
            return sign + "int";
        default:
            return sign + "long long";
    }
}

class type_reader {
public:
    type_reader(const std::string& whose, bool may_be_empty)
        : whose_(whose), may_be_empty_(may_be_empty) {}

    parameter_type read(std::optional<Dwarf_Die> named) {
        parameter_type out;
        out.text = spell(named);
        auto type = without_names(named);
        if (!type) fail(out.text, "its type is not known");
        out.size = static_cast<std::uint32_t>(number(&*type, DW_AT_byte_size).value_or(0));
        out.stub.alignment = alignment_of(named);
        switch (dwarf_tag(&*type)) {
            case DW_TAG_base_type:
                read_scalar(out, *type);
                break;
            case DW_TAG_enumeration_type: {
                auto base = without_names(type_of(&*type));
                read_scalar(out, base ? *base : *type);
                break;
            }
            case DW_TAG_pointer_type:
            case DW_TAG_reference_type:
                out.what = kernel_parameter::kind::pointer;
                out.size = 4;
                out.stub = {"void *", "", 4};
                out.layout = read_layout(type_of(&*type));
                break;
            case DW_TAG_structure_type:
            case DW_TAG_class_type:
            case DW_TAG_union_type:
                read_aggregate(out, *type);
                break;
            case DW_TAG_array_type:
                read_vector(out, *type);
                break;
            default:
                fail(out.text, "a kernel can't take this type");
        }
        return out;
    }

private:
    [[noreturn]] void fail(const std::string& text, const std::string& reason) const {
        throw configuration_error(whose_ + " of type '" + text + "': " + reason);
    }

    static void read_scalar(parameter_type& out, Dwarf_Die& type) {
        bool floating = false;
        out.stub.c_type = scalar(&type, out.size, floating);
        out.what = floating ? kernel_parameter::kind::floating : kernel_parameter::kind::integer;
        out.is_signed = is_signed_integer(&type);
    }

    void read_aggregate(parameter_type& out, Dwarf_Die& type) const {
        // The kernel takes the address of a copy.
        out.stub.by_pointer =
            number(&type, DW_AT_calling_convention).value_or(0) == DW_CC_pass_by_reference;
        Dwarf_Die child;
        if (out.size == 0 || dwarf_hasattr(&type, DW_AT_declaration) != 0 ||
            (!may_be_empty_ && dwarf_child(&type, &child) != 0)) {
            fail(out.text, "the structure has no members, or is not defined here");
        }
        out.what = kernel_parameter::kind::aggregate;
        out.stub.is_record = true;
        out.stub.c_type = "struct { _Alignas(" + std::to_string(out.stub.alignment) +
                          ") unsigned char bytes[" + std::to_string(out.size) + "]; }";
        out.layout = read_layout(type);
    }

    void read_vector(parameter_type& out, Dwarf_Die& type) const {
        auto element = without_names(type_of(&type));
        if (!is_vector(&type) || !element) fail(out.text, "a kernel can't take this type");
        const auto bytes =
            static_cast<std::uint32_t>(number(&*element, DW_AT_byte_size).value_or(4));
        bool floating = false;
        out.layout = read_layout(type);
        out.what = kernel_parameter::kind::aggregate;
        out.size = out.stub.alignment;  // three elements take the room of four
        out.stub.c_type = scalar(&*element, bytes, floating);
        out.stub.c_suffix =
            " __attribute__((ext_vector_type(" + std::to_string(element_count(&type)) + ")))";
        out.stub.elements = static_cast<std::uint32_t>(element_count(&type));
    }

    const std::string& whose_;
    bool may_be_empty_;
};

}  // namespace

parameter_type read_parameter_type(Dwarf_Die* parameter, const std::string& whose,
                                   bool may_be_empty) {
    return type_reader(whose, may_be_empty).read(type_of(parameter));
}

}  // namespace heddle::program
