// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Operand fields of an encoding and their order in assembly.
enum class instruction_format : std::uint8_t {
    none,           ///< no operands
    r,              ///< rd, rs1, rs2
    i,              ///< rd, rs1, imm
    shift,          ///< rd, rs1, shamt
    load,           ///< rd, imm(rs1)
    load_indirect,  ///< rd, (rs1)
    store,          ///< rs2, imm(rs1)
    branch,         ///< rs1, rs2, target
    u,              ///< rd, imm
    j,              ///< rd, target
    jalr,           ///< rd, imm(rs1)
    fence,          ///< predecessor, successor
    csr,            ///< rd, csr, rs1
    csr_immediate,  ///< rd, csr, imm
    lr,             ///< rd, (rs1), with .aq .rl
    amo,            ///< rd, rs2, (rs1), with .aq .rl
    unary,          ///< rd, rs1
    unary_rounded,  ///< rd, rs1, rm
    r_rounded,      ///< rd, rs1, rs2, rm
    r4_rounded,     ///< rd, rs1, rs2, rs3, rm
    shuffle,        ///< rd, rs1, rs2, width
    destination,    ///< rd
    source,         ///< rs1
    sources,        ///< rs1, rs2
};

/// One row of instruction_table.def.
struct instruction_row {
    const char* mnemonic;
    const char* meaning;
    std::uint32_t match;
    std::uint32_t mask;
    opcode op;
    instruction_format format;
    instruction_class cls;
    std::uint8_t flags;
};

/// All rows in the order of the opcodes: row k describes opcode k + 1.
inline constexpr instruction_row instruction_table[] = {
#define HEDDLE_INSTRUCTION(op, mnemonic, match, mask, format, cls, flags, meaning) \
    {                                                                              \
        mnemonic,                                                                  \
        meaning,                                                                   \
        match,                                                                     \
        mask,                                                                      \
        opcode::op,                                                                \
        instruction_format::format,                                                \
        instruction_class::cls,                                                    \
        flags},
#include "models/isa/instruction_table.def"
};

/// Row of an opcode other than opcode::illegal.
constexpr const instruction_row& row_of(opcode op) noexcept {
    return instruction_table[static_cast<unsigned>(op) - 1];
}

/// The formats whose funct3 field is a rounding mode.
constexpr bool is_rounded(instruction_format format) noexcept {
    return format == instruction_format::unary_rounded || format == instruction_format::r_rounded ||
           format == instruction_format::r4_rounded;
}

/// Largest legal width field of a shuffle: log2 of the 64 lanes of the widest warp.
inline constexpr std::uint32_t largest_shuffle_width_log2 = 6;

}  // namespace heddle::isa
