// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstdio>
#include <string>

#include "models/isa/csr.h"
#include "models/isa/instruction.h"
#include "models/isa/instruction_table.h"

namespace heddle::isa {
namespace {

constexpr const char* register_names[register_count] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

constexpr const char* rounding_names[8] = {"rne", "rtz", "rdn", "rup", "rmm", "", "", "dyn"};

std::string hex(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", static_cast<unsigned>(value));
    return text;
}

std::string signed_hex(std::int32_t value) {
    return value < 0 ? "-" + hex(0u - static_cast<std::uint32_t>(value))
                     : hex(static_cast<std::uint32_t>(value));
}

/// The i, o, r, w letters of a fence's predecessor or successor set.
std::string fence_set(unsigned bits) {
    std::string text;
    for (unsigned k = 0; k < 4; ++k) {
        if ((bits & (8u >> k)) != 0) text += "iorw"[k];
    }
    return text.empty() ? "0" : text;
}

std::string csr_name(std::uint32_t number) {
    const csr_description* row = find_csr(number);
    return row == nullptr ? hex(number) : row->name;
}

const char* ordering_suffix(std::uint32_t raw) {
    static constexpr const char* suffixes[4] = {"", ".rl", ".aq", ".aqrl"};
    return suffixes[(raw >> 25) & 3];
}

std::string operand_text(const instruction& i, instruction_format format, std::uint32_t pc) {
    using f = instruction_format;
    std::string rd = register_names[i.rd == sink_register ? 0 : i.rd];
    std::string rs1 = register_names[i.rs1];
    const std::string rs2 = register_names[i.rs2];
    const std::string target = hex(pc + static_cast<std::uint32_t>(i.imm));
    switch (format) {
        case f::none:
            return "";
        case f::r:
            return rd + ", " + rs1 + ", " + rs2;
        case f::i:
            return rd + ", " + rs1 + ", " + signed_hex(i.imm);
        case f::shift:
            return rd + ", " + rs1 + ", " + hex(static_cast<std::uint32_t>(i.imm));
        case f::load:
        case f::jalr:
            return rd + ", " + signed_hex(i.imm) + "(" + rs1 + ")";
        case f::load_indirect:
        case f::lr:
            return rd + ", (" + rs1 + ")";
        case f::store:
            return rs2 + ", " + signed_hex(i.imm) + "(" + rs1 + ")";
        case f::branch:
            return rs1 + ", " + rs2 + ", " + target;
        case f::u:
            return rd + ", " + hex(static_cast<std::uint32_t>(i.imm) >> 12);
        case f::j:
            return rd + ", " + target;
        case f::fence:
            return fence_set(i.raw >> 24 & 15) + ", " + fence_set(i.raw >> 20 & 15);
        case f::csr:
            return rd + ", " + csr_name(csr_number(i)) + ", " + rs1;
        case f::csr_immediate:
            return rd + ", " + csr_name(csr_number(i)) + ", " + hex(i.rs1);
        case f::amo:
            return rd + ", " + rs2 + ", (" + rs1 + ")";
        case f::unary:
            return rd + ", " + rs1;
        case f::unary_rounded:
            return rd + ", " + rs1 + ", " + rounding_names[i.rm];
        case f::r_rounded:
            return rd + ", " + rs1 + ", " + rs2 + ", " + rounding_names[i.rm];
        case f::r4_rounded:
            return rd + ", " + rs1 + ", " + rs2 + ", " + register_names[i.rs3] + ", " +
                   rounding_names[i.rm];
        case f::shuffle:
            return rd + ", " + rs1 + ", " + rs2 + ", " + std::to_string(1u << i.imm);
        case f::destination:
            return rd;
        case f::source:
            return rs1;
        case f::sources:
            return rs1 + ", " + rs2;
    }
    return "";
}

}  // namespace

std::string disassemble(const instruction& instruction, std::uint32_t pc) {
    if (instruction.is_illegal()) return "illegal " + hex(instruction.raw);
    const instruction_row& row = row_of(instruction.op);
    std::string text = row.mnemonic;
    if (row.format == instruction_format::lr || row.format == instruction_format::amo) {
        text += ordering_suffix(instruction.raw);
    }
    const std::string operands = operand_text(instruction, row.format, pc);
    return operands.empty() ? text : text + " " + operands;
}

const char* mnemonic(opcode op) noexcept {
    return op == opcode::illegal || op >= opcode::count_ ? "illegal" : row_of(op).mnemonic;
}

const char* register_name(unsigned index) noexcept {
    return index < register_count ? register_names[index] : "zero";
}

}  // namespace heddle::isa
