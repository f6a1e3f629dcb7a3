// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

namespace heddle::isa {

/// One bit per lane of a warp, lane 0 in bit 0.
using lane_mask = std::uint64_t;

/// Architectural registers x0..x31.
inline constexpr unsigned register_count = 32;

/// Register row that takes writes to x0, and `instruction::rd` of an instruction without one.
inline constexpr std::uint8_t sink_register = 32;

/// Every instruction of instruction_table.def; `illegal` is 0.
enum class opcode : std::uint8_t {
    illegal,
#define HEDDLE_INSTRUCTION(op, mnemonic, match, mask, format, cls, flags, meaning) op,
#include "models/isa/instruction_table.def"
    count_
};

inline constexpr unsigned opcode_count = static_cast<unsigned>(opcode::count_);

/// What executes an instruction, and so what a pipeline has to do for it.
enum class instruction_class : std::uint8_t {
    illegal,
    integer,
    multiply,
    divide,
    floating,
    floating_divide,
    special,  ///< rcp rsq ex2 lg2 sin cos
    load,
    store,
    atomic,
    branch,
    jump,           ///< jal
    jump_register,  ///< jalr
    fence,
    csr,
    environment,   ///< ecall, ebreak
    simt_control,  ///< barrier, warp.join, exit
    exchange,      ///< votes and shuffles: read registers of other lanes
    launch,        ///< custom-0 group 4
    transaction,   ///< custom-0 group 5
    cooperation,   ///< custom-0 group 6
};

/// Bits of `instruction::flags`. The low five bits come from the table, the others from operands.
namespace flag {
inline constexpr std::uint8_t size_2 = 1;            ///< access of 2 bytes
inline constexpr std::uint8_t size_4 = 2;            ///< access of 4 bytes
inline constexpr std::uint8_t size_mask = 3;         ///< log2 of the access size in bytes
inline constexpr std::uint8_t sign_extend = 1 << 2;  ///< load sign-extends
inline constexpr std::uint8_t bypass_l1 = 1 << 3;    ///< ldcg, ldcv
inline constexpr std::uint8_t call = 1 << 4;         ///< jal/jalr that writes x1 or x5
inline constexpr std::uint8_t returns = 1 << 5;      ///< jalr x0, x1|x5
inline constexpr std::uint8_t dynamic_rm = 1 << 6;   ///< rounding mode comes from frm
inline constexpr std::uint8_t writes_rd = 1 << 7;    ///< writes a register other than x0
}  // namespace flag

/// IEEE rounding modes as encoded in `rm` and frm.
namespace rounding {
inline constexpr std::uint8_t nearest_even = 0;           ///< RNE
inline constexpr std::uint8_t toward_zero = 1;            ///< RTZ
inline constexpr std::uint8_t down = 2;                   ///< RDN
inline constexpr std::uint8_t up = 3;                     ///< RUP
inline constexpr std::uint8_t nearest_max_magnitude = 4;  ///< RMM
inline constexpr std::uint8_t dynamic = 7;                ///< DYN: frm decides (static rm only)
}  // namespace rounding

/// One predecoded instruction, 16 bytes. Fields that the format lacks are 0 (rd: sink_register).
struct instruction {
    opcode op = opcode::illegal;
    instruction_class cls = instruction_class::illegal;
    std::uint8_t rd = sink_register;  ///< sink_register if x0 or none
    std::uint8_t rs1 = 0;
    std::uint8_t rs2 = 0;
    std::uint8_t rs3 = 0;  ///< addend of fmadd…; for amocas.w the compare register (0 if rd is x0)
    std::uint8_t rm = 0;   ///< rounding mode as encoded
    std::uint8_t flags = 0;  ///< bits of namespace flag
    /// Immediate, sign-extended (lui, auipc: shifted by 12). CSR instructions: the CSR number;
    /// csrrwi…: the 5-bit immediate stays in rs1. Shuffles: log2 of the segment width.
    std::int32_t imm = 0;
    std::uint32_t raw = 0;  ///< the encoding

    [[nodiscard]] constexpr bool is_illegal() const noexcept { return op == opcode::illegal; }
    [[nodiscard]] constexpr bool is_call() const noexcept { return (flags & flag::call) != 0; }
    [[nodiscard]] constexpr bool is_return() const noexcept { return (flags & flag::returns) != 0; }
    [[nodiscard]] constexpr bool writes_register() const noexcept {
        return (flags & flag::writes_rd) != 0;
    }
    [[nodiscard]] constexpr bool uses_frm() const noexcept {
        return (flags & flag::dynamic_rm) != 0;
    }
    /// Loads, stores, atomics: bytes per lane (1, 2 or 4), alignment that the access needs.
    [[nodiscard]] constexpr unsigned access_bytes() const noexcept {
        return 1u << (flags & flag::size_mask);
    }
    [[nodiscard]] constexpr bool access_signed() const noexcept {
        return (flags & flag::sign_extend) != 0;
    }
    [[nodiscard]] constexpr bool bypasses_l1() const noexcept {
        return (flags & flag::bypass_l1) != 0;
    }
    /// Loads of data that nobody writes while the kernel runs: ldg.
    [[nodiscard]] constexpr bool is_read_only_load() const noexcept {
        return op >= opcode::ldg_b && op <= opcode::ldg_hu;
    }
    /// Memory access of any kind (load, store, atomic).
    [[nodiscard]] constexpr bool is_memory() const noexcept {
        return cls == instruction_class::load || cls == instruction_class::store ||
               cls == instruction_class::atomic;
    }
    /// May leave the straight line: branch, jal, jalr.
    [[nodiscard]] constexpr bool is_control_flow() const noexcept {
        return cls == instruction_class::branch || cls == instruction_class::jump ||
               cls == instruction_class::jump_register;
    }
    /// execute() does all of it (integer … special, votes and shuffles, links of jal and jalr).
    [[nodiscard]] constexpr bool is_arithmetic() const noexcept {
        return (cls >= instruction_class::integer && cls <= instruction_class::special) ||
               cls == instruction_class::exchange;
    }
    /// Encodings of the groups launch, transaction and cooperation, which need their own hardware.
    [[nodiscard]] constexpr bool is_reserved() const noexcept {
        return cls == instruction_class::launch || cls == instruction_class::transaction ||
               cls == instruction_class::cooperation;
    }
};
static_assert(sizeof(instruction) == 16);

/// Extends a loaded value as lb, lh, lbu, lhu, lw and the bypassing loads do. The bits of `value`
/// above the access size are ignored.
constexpr std::uint32_t extend_loaded(const instruction& load, std::uint32_t value) noexcept {
    const unsigned shift = 32 - 8 * load.access_bytes();
    const std::uint32_t top = value << shift;
    return load.access_signed()
               ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> shift)
               : top >> shift;
}

/// Decodes one 32-bit word. Every reserved encoding (also of rm, shamt and custom-0) gives
/// opcode::illegal with `raw` kept; CSR numbers are not judged here (see csr.h).
/// Source of the encodings: instruction_table.def. Never throws; about 10 ns.
[[nodiscard]] instruction decode(std::uint32_t raw) noexcept;

/// Assembly text in LLVM's spelling without aliases, ABI register names, branch and jump targets
/// as absolute addresses (`pc` is the instruction's own address): "addi a0, a0, -1".
[[nodiscard]] std::string disassemble(const instruction& instruction, std::uint32_t pc);

/// Mnemonic of an opcode ("fmadd.s"); "illegal" for opcode::illegal.
[[nodiscard]] const char* mnemonic(opcode op) noexcept;

/// ABI name of register 0..31 ("zero", "ra", "sp", …).
[[nodiscard]] const char* register_name(unsigned index) noexcept;

}  // namespace heddle::isa
