// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Control and status registers. One row each: name, number, writable, meaning.
/// The standard ones keep their numbers; ids live in the custom read-only range 0xcc0 to 0xcff.
#define HEDDLE_CSRS(ROW)                                                                   \
    ROW(fflags, 0x001, true, "exception flags; reads 0, writes are ignored")               \
    ROW(frm, 0x002, true, "dynamic rounding mode of the thread, 3 bits")                   \
    ROW(fcsr, 0x003, true, "frm in bits 7 to 5; the flags read 0")                         \
    ROW(cycle, 0xc00, false, "cycle counter, low word")                                    \
    ROW(time, 0xc01, false, "wall clock, low word")                                        \
    ROW(instret, 0xc02, false, "instructions retired by the warp, low word")               \
    ROW(cycleh, 0xc80, false, "cycle counter, high word")                                  \
    ROW(timeh, 0xc81, false, "wall clock, high word")                                      \
    ROW(instreth, 0xc82, false, "instructions retired by the warp, high word")             \
    ROW(tid_x, 0xcc0, false, "thread index in the block, x")                               \
    ROW(tid_y, 0xcc1, false, "thread index in the block, y")                               \
    ROW(tid_z, 0xcc2, false, "thread index in the block, z")                               \
    ROW(ctaid_x, 0xcc4, false, "block index in the grid, x")                               \
    ROW(ctaid_y, 0xcc5, false, "block index in the grid, y")                               \
    ROW(ctaid_z, 0xcc6, false, "block index in the grid, z")                               \
    ROW(ntid_x, 0xcc8, false, "threads per block, x")                                      \
    ROW(ntid_y, 0xcc9, false, "threads per block, y")                                      \
    ROW(ntid_z, 0xcca, false, "threads per block, z")                                      \
    ROW(nctaid_x, 0xccc, false, "blocks in the grid, x")                                   \
    ROW(nctaid_y, 0xccd, false, "blocks in the grid, y")                                   \
    ROW(nctaid_z, 0xcce, false, "blocks in the grid, z")                                   \
    ROW(laneid, 0xcd0, false, "lane of the thread in its warp")                            \
    ROW(warpid, 0xcd1, false, "warp of the thread in its block")                           \
    ROW(nwarps, 0xcd2, false, "warps of the block")                                        \
    ROW(smid, 0xcd3, false, "SMX that runs the block")                                     \
    ROW(warpsize, 0xcd4, false, "lanes of a warp")                                         \
    ROW(gridid, 0xcd5, false, "number of the launch")                                      \
    ROW(dynamic_shared_base, 0xcd6, false, "address of the block's dynamic shared memory") \
    ROW(dynamic_shared_size, 0xcd7, false, "bytes of the block's dynamic shared memory")   \
    ROW(clock, 0xcd8, false, "clock of the SMX, low word")                                 \
    ROW(clockh, 0xcd9, false, "clock of the SMX, high word")                               \
    ROW(goff_x, 0xcdc, false, "index of the grid's first thread, x")                       \
    ROW(goff_y, 0xcdd, false, "index of the grid's first thread, y")                       \
    ROW(goff_z, 0xcde, false, "index of the grid's first thread, z")                       \
    ROW(workdim, 0xcdf, false, "dimensions of the launch, 1 to 3")

enum class csr : std::uint16_t {
#define HEDDLE_CSR_ENUMERATOR(name, number, writable, meaning) name = (number),
    HEDDLE_CSRS(HEDDLE_CSR_ENUMERATOR)
#undef HEDDLE_CSR_ENUMERATOR
};

struct csr_description {
    const char* name;
    csr number;
    bool writable;
    const char* meaning;
};

inline constexpr csr_description csr_table[] = {
#define HEDDLE_CSR_ROW(name, number, writable, meaning) {#name, csr::name, writable, meaning},
    HEDDLE_CSRS(HEDDLE_CSR_ROW)
#undef HEDDLE_CSR_ROW
};

/// Row of a CSR number, null if there is no such CSR.
[[nodiscard]] constexpr const csr_description* find_csr(std::uint32_t number) noexcept {
    for (const csr_description& row : csr_table) {
        if (static_cast<std::uint32_t>(row.number) == number) return &row;
    }
    return nullptr;
}

/// CSR number that a csr instruction names.
[[nodiscard]] constexpr std::uint32_t csr_number(const instruction& instruction) noexcept {
    return static_cast<std::uint32_t>(instruction.imm);
}

/// Whether a csr instruction writes its CSR: csrrs, csrrc and their immediate forms do not when
/// the rs1 field is 0 (unprivileged ISA, Zicsr).
[[nodiscard]] constexpr bool csr_writes(const instruction& instruction) noexcept {
    return instruction.op == opcode::csrrw || instruction.op == opcode::csrrwi ||
           instruction.rs1 != 0;
}

/// Whether a csr instruction reads the device's time.
[[nodiscard]] constexpr bool tells_time(const instruction& instruction) noexcept {
    switch (static_cast<csr>(csr_number(instruction))) {
        case csr::cycle:
        case csr::cycleh:
        case csr::time:
        case csr::timeh:
        case csr::clock:
        case csr::clockh:
            return true;
        default:
            return false;
    }
}

/// A csr instruction is legal when its CSR exists and, if it writes, is writable.
[[nodiscard]] constexpr bool csr_legal(const instruction& instruction) noexcept {
    const csr_description* row = find_csr(csr_number(instruction));
    return row != nullptr && (row->writable || !csr_writes(instruction));
}

/// New value of the CSR, given its old value and the value of x[rs1] (unused by the immediate
/// forms, whose operand is the rs1 field itself).
[[nodiscard]] constexpr std::uint32_t csr_result(const instruction& instruction, std::uint32_t old,
                                                 std::uint32_t rs1_value) noexcept {
    switch (instruction.op) {
        case opcode::csrrw:
            return rs1_value;
        case opcode::csrrs:
            return old | rs1_value;
        case opcode::csrrc:
            return old & ~rs1_value;
        case opcode::csrrwi:
            return instruction.rs1;
        case opcode::csrrsi:
            return old | instruction.rs1;
        case opcode::csrrci:
            return old & ~static_cast<std::uint32_t>(instruction.rs1);
        default:
            return old;
    }
}

}  // namespace heddle::isa
