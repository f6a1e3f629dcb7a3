// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Value that an atomic leaves in memory, given the word it found there. `operand` is rs2;
/// `compare` is amocas.w's expected value (x[rs3] of the decoded instruction), else ignored.
/// Float atomics round to nearest even and give canonical NaNs. lr.w returns `memory_value`, sc.w
/// `operand` (whether its reservation holds is the memory's affair); any other opcode gives
/// `memory_value`.
[[nodiscard]] std::uint32_t atomic_result(opcode op, std::uint32_t memory_value,
                                          std::uint32_t operand, std::uint32_t compare) noexcept;

}  // namespace heddle::isa
