// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cmath>
#include <cstdint>

#include "models/isa/float_bits.h"
#include "models/isa/instruction.h"
#include "models/isa/rounded.h"

/// What an arithmetic instruction does in one lane, in plain C++. Rounded float operations take the
/// software form of models/isa/rounded.h, which the comparison with qemu checks.
namespace heddle::isa::test {

/// Address that the instructions under test pretend to have.
inline constexpr std::uint32_t pc = 0x0001fff8;

/// Operands of one lane; `rm` is the effective rounding mode.
struct lane_operands {
    std::uint32_t a, b, c, imm;
    unsigned rm;
};

inline std::uint32_t divide_reference(opcode op, std::uint32_t a, std::uint32_t b) {
    const auto x = static_cast<std::int64_t>(static_cast<std::int32_t>(a));
    const auto y = static_cast<std::int64_t>(static_cast<std::int32_t>(b));
    switch (op) {
        case opcode::div:
            return static_cast<std::uint32_t>(b == 0 ? -1 : x / y);
        case opcode::divu:
            return b == 0 ? 0xffffffff : a / b;
        case opcode::rem:
            return static_cast<std::uint32_t>(b == 0 ? x : x % y);
        default:
            return b == 0 ? a : a % b;
    }
}

inline std::uint32_t multiply_reference(opcode op, std::uint32_t a, std::uint32_t b) {
    const auto x = static_cast<std::int64_t>(static_cast<std::int32_t>(a));
    const auto y = static_cast<std::int64_t>(static_cast<std::int32_t>(b));
    switch (op) {
        case opcode::mul:
            return a * b;
        case opcode::mulh:
            return static_cast<std::uint32_t>((x * y) >> 32);
        case opcode::mulhsu:
            return static_cast<std::uint32_t>((x * static_cast<std::int64_t>(b)) >> 32);
        default:
            return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
    }
}

inline std::uint32_t integer_reference(opcode op, const lane_operands& o) {
    const std::uint32_t a = o.a;
    const std::uint32_t b = o.b;
    const auto sa = static_cast<std::int32_t>(a);
    const auto sb = static_cast<std::int32_t>(b);
    const auto si = static_cast<std::int32_t>(o.imm);
    switch (op) {
        case opcode::lui:
            return o.imm;
        case opcode::auipc:
            return pc + o.imm;
        case opcode::jal:
        case opcode::jalr:
            return pc + 4;
        case opcode::addi:
            return a + o.imm;
        case opcode::slti:
            return sa < si ? 1 : 0;
        case opcode::sltiu:
            return a < o.imm ? 1 : 0;
        case opcode::xori:
            return a ^ o.imm;
        case opcode::ori:
            return a | o.imm;
        case opcode::andi:
            return a & o.imm;
        case opcode::slli:
            return a << o.imm;
        case opcode::srli:
            return a >> o.imm;
        case opcode::srai:
            return static_cast<std::uint32_t>(sa >> o.imm);
        case opcode::add:
            return a + b;
        case opcode::sub:
            return a - b;
        case opcode::sll:
            return a << (b % 32);
        case opcode::slt:
            return sa < sb ? 1 : 0;
        case opcode::sltu:
            return a < b ? 1 : 0;
        case opcode::xor_:
            return a ^ b;
        case opcode::srl:
            return a >> (b % 32);
        case opcode::sra:
            return static_cast<std::uint32_t>(sa >> (b % 32));
        case opcode::or_:
            return a | b;
        case opcode::and_:
            return a & b;
        case opcode::czero_eqz:
            return b == 0 ? 0 : a;
        default:
            return b != 0 ? 0 : a;  // czero.nez
    }
}

inline std::uint32_t fused_reference(opcode op, const lane_operands& o) {
    const std::uint32_t minus = 0x80000000;
    const bool negate = op == opcode::fnmadd_s || op == opcode::fnmsub_s;
    const bool subtract = op == opcode::fmsub_s || op == opcode::fnmadd_s;
    return rounded::multiply_add(to_float(negate ? o.a ^ minus : o.a), to_float(o.b),
                                 to_float(subtract ? o.c ^ minus : o.c), o.rm);
}

inline std::uint32_t minimum_reference(bool maximum, std::uint32_t x, std::uint32_t y) {
    const float a = to_float(x);
    const float b = to_float(y);
    if (std::isnan(a) && std::isnan(b)) return canonical_nan;
    if (std::isnan(a)) return y;
    if (std::isnan(b)) return x;
    if (a == 0 && b == 0) {
        return maximum == (std::signbit(a) && !std::signbit(b)) || x == y ? y : x;
    }
    return (a < b) != maximum ? x : y;
}

inline std::uint32_t class_reference(std::uint32_t x) {
    const float a = to_float(x);
    const bool negative = std::signbit(a);
    switch (std::fpclassify(a)) {
        case FP_NAN:
            return (x >> 22 & 1) != 0 ? 1u << 9 : 1u << 8;
        case FP_INFINITE:
            return negative ? 1u : 1u << 7;
        case FP_ZERO:
            return negative ? 1u << 3 : 1u << 4;
        case FP_SUBNORMAL:
            return negative ? 1u << 2 : 1u << 5;
        default:
            return negative ? 1u << 1 : 1u << 6;
    }
}

inline std::uint32_t float_reference(opcode op, const lane_operands& o) {
    const float a = to_float(o.a);
    const float b = to_float(o.b);
    const std::uint32_t sign = 0x80000000;
    switch (op) {
        case opcode::fadd_s:
            return rounded::add(a, b, o.rm);
        case opcode::fsub_s:
            return rounded::subtract(a, b, o.rm);
        case opcode::fmul_s:
            return rounded::multiply(a, b, o.rm);
        case opcode::fdiv_s:
            return rounded::divide(a, b, o.rm);
        case opcode::fsqrt_s:
            return rounded::square_root(a, o.rm);
        case opcode::fsgnj_s:
            return (o.a & ~sign) | (o.b & sign);
        case opcode::fsgnjn_s:
            return (o.a & ~sign) | (~o.b & sign);
        case opcode::fsgnjx_s:
            return o.a ^ (o.b & sign);
        case opcode::fmin_s:
            return minimum_reference(false, o.a, o.b);
        case opcode::fmax_s:
            return minimum_reference(true, o.a, o.b);
        case opcode::feq_s:
            return a == b ? 1 : 0;
        case opcode::flt_s:
            return a < b ? 1 : 0;
        case opcode::fle_s:
            return a <= b ? 1 : 0;
        case opcode::fclass_s:
            return class_reference(o.a);
        case opcode::fcvt_w_s:
            return rounded::to_signed(a, o.rm);
        case opcode::fcvt_wu_s:
            return rounded::to_unsigned(a, o.rm);
        case opcode::fcvt_s_w:
            return rounded::from_signed(o.a, o.rm);
        case opcode::fcvt_s_wu:
            return rounded::from_unsigned(o.a, o.rm);
        default:
            return fused_reference(op, o);
    }
}

/// Value of rd.
inline std::uint32_t reference(const instruction& i, const lane_operands& o) {
    switch (i.cls) {
        case instruction_class::multiply:
            return multiply_reference(i.op, o.a, o.b);
        case instruction_class::divide:
            return divide_reference(i.op, o.a, o.b);
        case instruction_class::floating:
        case instruction_class::floating_divide:
            return float_reference(i.op, o);
        default:
            return integer_reference(i.op, o);
    }
}

}  // namespace heddle::isa::test
