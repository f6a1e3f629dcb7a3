// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/isa/atomic.h"

#include <algorithm>

#include "models/isa/float_operations.h"

namespace heddle::isa {

std::uint32_t atomic_result(opcode op, std::uint32_t memory_value, std::uint32_t operand,
                            std::uint32_t compare) noexcept {
    const auto old_signed = static_cast<std::int32_t>(memory_value);
    const auto operand_signed = static_cast<std::int32_t>(operand);
    switch (op) {
        case opcode::sc_w:
        case opcode::amoswap_w:
            return operand;
        case opcode::amoadd_w:
            return memory_value + operand;
        case opcode::amoxor_w:
            return memory_value ^ operand;
        case opcode::amoand_w:
            return memory_value & operand;
        case opcode::amoor_w:
            return memory_value | operand;
        case opcode::amomin_w:
            return old_signed < operand_signed ? memory_value : operand;
        case opcode::amomax_w:
            return old_signed > operand_signed ? memory_value : operand;
        case opcode::amominu_w:
            return std::min(memory_value, operand);
        case opcode::amomaxu_w:
            return std::max(memory_value, operand);
        case opcode::amocas_w:
            return memory_value == compare ? operand : memory_value;
        case opcode::amofadd_w:
            return operation::float_add::nearest(memory_value, operand);
        case opcode::amofmin_w:
            return operation::float_minimum::of(memory_value, operand);
        case opcode::amofmax_w:
            return operation::float_maximum::of(memory_value, operand);
        default:
            return memory_value;
    }
}

}  // namespace heddle::isa
