// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <elfutils/libdw.h>

#include <optional>

namespace heddle::program {

/// Types don't nest deeper than this in any program; damaged debug information may be cyclic.
inline constexpr unsigned deepest_nesting = 64;

/// DW_AT_type of an entry; none: void.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die);
/// An attribute that is a number; none if the entry has no such attribute.
std::optional<Dwarf_Word> number(Dwarf_Die* die, unsigned name);
/// The type below typedefs and qualifiers.
std::optional<Dwarf_Die> without_names(std::optional<Dwarf_Die> type);
/// Elements of an array type, all dimensions together.
Dwarf_Word element_count(Dwarf_Die* array);
/// Whether it is a vector type, as OpenCL's float4.
bool is_vector(Dwarf_Die* type);
/// Whether a base type is a signed integer.
bool is_signed_integer(Dwarf_Die* type);

}  // namespace heddle::program
