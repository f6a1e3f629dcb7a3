// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <set>

#include "hw/smx/smx_configuration.h"
#include "models/isa/instruction.h"

/// What an instruction needs to issue: docs/smx_rules.md, "(3) Issue".
namespace heddle::smx_reference {

/// Registers that must not wait for a result.
[[nodiscard]] std::set<unsigned> operands_of(const isa::instruction& i, bool barrel);
/// Cycles beyond the first in which the operands are read; registers of one bank come one after
/// another. `slot`: of the warp.
[[nodiscard]] unsigned conflicts_of(const isa::instruction& i, unsigned slot, unsigned banks);
[[nodiscard]] unit_class class_of(const isa::instruction& i);

}  // namespace heddle::smx_reference
