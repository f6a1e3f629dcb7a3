// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

/// The record of include/heddle/retire.h in other languages.
namespace heddle::library {

/// heddle_retire.svh: the packed struct as a macro, for any tool that knows packed structs.
[[nodiscard]] std::string retire_macros();
/// heddle_retire.sv: names of numbers, an interface, and a module that writes records as text.
[[nodiscard]] std::string retire_package();
/// The tables of docs/retire.md.
[[nodiscard]] std::string retire_tables();

}  // namespace heddle::library
