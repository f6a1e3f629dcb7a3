// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/isa/reference.h"

#include <cstdio>
#include <string>

#include "models/isa/csr.h"
#include "models/isa/instruction_table.h"

namespace heddle::isa {
namespace {

constexpr const char* introduction = R"(# Instruction set

<!-- Made by heddle_isa_reference from models/isa/instruction_table.def. Do not edit. -->

A thread executes RV32IMA_Zicsr_Zifencei_Zfinx_Zicond, the 32-bit compare-and-swap of Zacas, and the
SIMT instructions below. The SIMT instructions are in the custom-0 opcode (0x0b); funct3 is the number
of their group. Registers hold 32 bits, integers and floats alike; x0 reads 0. The encoding column
gives `match / mask`: a word `w` is the instruction if `(w & mask) == match`. Every other word is
illegal. The rounding modes 5 and 6 and the shuffle width field 7 are illegal, too.

- **Floats** are IEEE 754 binary32 with subnormals. A NaN result is 0x7fc00000. `frm` belongs to the
  thread; a dynamic rounding mode of 5, 6 or 7 is an illegal instruction. The exception flags are not
  modelled: `fflags` reads 0.
- **Fused operations** round once. No other operations are fused.
- **Encodings of groups 4 to 6** (launch, transactions, cooperation) are fixed here. A model without
  the mechanism reports a fault when a kernel executes such an instruction.
- `.insn r 0x0b, funct3, funct7, rd, rs1, rs2` emits custom-0 instructions with any assembler. A field
  that the operand column does not name must be 0.
- **Shuffles**: funct7 = 0x40 | kind * 8 | log2(width), width 1 to 64 lanes and at most the warp's.
)";

const char* operands_text(instruction_format format) {
    using f = instruction_format;
    switch (format) {
        case f::none:
            return "";
        case f::r:
            return "rd, rs1, rs2";
        case f::i:
        case f::shift:
            return "rd, rs1, imm";
        case f::load:
        case f::jalr:
            return "rd, imm(rs1)";
        case f::load_indirect:
        case f::lr:
            return "rd, (rs1)";
        case f::store:
            return "rs2, imm(rs1)";
        case f::branch:
            return "rs1, rs2, target";
        case f::u:
            return "rd, imm";
        case f::j:
            return "rd, target";
        case f::fence:
            return "predecessor, successor";
        case f::csr:
            return "rd, csr, rs1";
        case f::csr_immediate:
            return "rd, csr, imm";
        case f::amo:
            return "rd, rs2, (rs1)";
        case f::unary:
            return "rd, rs1";
        case f::unary_rounded:
            return "rd, rs1, rm";
        case f::r_rounded:
            return "rd, rs1, rs2, rm";
        case f::r4_rounded:
            return "rd, rs1, rs2, rs3, rm";
        case f::shuffle:
            return "rd, rs1, rs2, width";
        case f::destination:
            return "rd";
        case f::source:
            return "rs1";
        case f::sources:
            return "rs1, rs2";
    }
    return "";
}

/// Markdown tables end a cell at a bar.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '|') result += '\\';
        result += c;
    }
    return result;
}

std::string hex(std::uint32_t value, int digits) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%0*x", digits, static_cast<unsigned>(value));
    return text;
}

std::string group_heading(const char* title, const char* source) {
    return std::string("\n## ") + title + "\n\nSource: " + source +
           ".\n\n| instruction | operands | encoding | meaning |\n|---|---|---|---|\n";
}

std::string instruction_line(const instruction_row& row) {
    return std::string("| `") + row.mnemonic + "` | " + operands_text(row.format) + " | `" +
           hex(row.match, 8) + " / " + hex(row.mask, 8) + "` | " + escaped(row.meaning) + " |\n";
}

std::string csr_section() {
    std::string text =
        "\n## Control and status registers\n\nAny other number is an illegal instruction. A write "
        "to a read-only register is illegal, too. Numbers from 0xcc0 are Heddle's own.\n\n| number "
        "| name | access | meaning |\n|---|---|---|---|\n";
    for (const csr_description& row : csr_table) {
        text += "| `" + hex(static_cast<std::uint32_t>(row.number), 3) + "` | `" + row.name +
                "` | " + (row.writable ? "read, write" : "read") + " | " + row.meaning + " |\n";
    }
    return text;
}

}  // namespace

std::string reference_page() {
    std::string page = introduction;
#define HEDDLE_GROUP(title, source) page += group_heading(title, source);
#define HEDDLE_INSTRUCTION(op, mnemonic, match, mask, format, cls, flags, meaning) \
    page += instruction_line(row_of(opcode::op));
#include "models/isa/instruction_table.def"
    return page + csr_section();
}

}  // namespace heddle::isa
