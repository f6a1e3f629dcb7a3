// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace heddle::pins {

/// Atomics as the pins of an SMX name them: funct5 of the A extension, with bit 5 set those on
/// floats.
inline constexpr struct core_atomic {
    isa::opcode op;
    std::uint32_t code;
} core_atomics[] = {
    {isa::opcode::amoadd_w, 0x00},  {isa::opcode::amoswap_w, 0x01}, {isa::opcode::lr_w, 0x02},
    {isa::opcode::sc_w, 0x03},      {isa::opcode::amoxor_w, 0x04},  {isa::opcode::amocas_w, 0x05},
    {isa::opcode::amoor_w, 0x08},   {isa::opcode::amoand_w, 0x0c},  {isa::opcode::amomin_w, 0x10},
    {isa::opcode::amomax_w, 0x14},  {isa::opcode::amominu_w, 0x18}, {isa::opcode::amomaxu_w, 0x1c},
    {isa::opcode::amofadd_w, 0x20}, {isa::opcode::amofmin_w, 0x30}, {isa::opcode::amofmax_w, 0x34},
};

/// opcode::illegal if no atomic has the code.
[[nodiscard]] inline isa::opcode core_atomic_of(std::uint32_t code) noexcept {
    for (const core_atomic& each : core_atomics) {
        if (each.code == code) return each.op;
    }
    return isa::opcode::illegal;
}
[[nodiscard]] inline std::uint32_t core_code_of(isa::opcode op) noexcept {
    for (const core_atomic& each : core_atomics) {
        if (each.op == op) return each.code;
    }
    return 0;
}

}  // namespace heddle::pins
