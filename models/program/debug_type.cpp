// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/debug_type.h"

#include <dwarf.h>

namespace heddle::program {

namespace {

bool is_qualifier(int tag) {
    return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
           tag == DW_TAG_atomic_type || tag == DW_TAG_typedef;
}

}  // namespace

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr ||
        dwarf_formref_die(&attribute, &type) == nullptr) {
        return std::nullopt;
    }
    return type;
}

std::optional<Dwarf_Word> number(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(die, name, &attribute) == nullptr ||
        dwarf_formudata(&attribute, &value) != 0) {
        return std::nullopt;
    }
    return value;
}

std::optional<Dwarf_Die> without_names(std::optional<Dwarf_Die> type) {
    for (unsigned depth = 0; type && is_qualifier(dwarf_tag(&*type)); ++depth) {
        if (depth == deepest_nesting) return std::nullopt;
        type = type_of(&*type);
    }
    return type;
}

Dwarf_Word element_count(Dwarf_Die* array) {
    Dwarf_Word count = 1;
    Dwarf_Die child;
    for (int more = dwarf_child(array, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
        if (const auto exact = number(&child, DW_AT_count)) {
            count *= *exact;
        } else if (const auto last = number(&child, DW_AT_upper_bound)) {
            count *= *last + 1;
        }
    }
    return count;
}

bool is_vector(Dwarf_Die* type) {
    return dwarf_tag(type) == DW_TAG_array_type && dwarf_hasattr(type, DW_AT_GNU_vector) != 0;
}

bool is_signed_integer(Dwarf_Die* type) {
    const auto encoding = number(type, DW_AT_encoding);
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

}  // namespace heddle::program
