// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <elfutils/libdw.h>

#include <optional>

#include "models/program/value_layout.h"

namespace heddle::program {

/// Layout of a type's values from its debug information. Structs in structs and base classes are
/// taken apart ("position.x"). Size 0 for what has no values: void, functions, structs that are
/// only declared.
value_layout read_layout(std::optional<Dwarf_Die> type);

}  // namespace heddle::program
