// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>

#include "models/isa/execute_lanes.h"

/// Definitions of the templates of execute.h; included only by the files that instantiate them.
namespace heddle::isa {
namespace handle {

template <unsigned Lanes>
constexpr std::array<handler<Lanes>, opcode_count> integer_table() {
    std::array<handler<Lanes>, opcode_count> table{};
    for (handler<Lanes>& entry : table) entry = &nothing<Lanes>;
    const auto set = [&table](opcode op, handler<Lanes> h) {
        table[static_cast<unsigned>(op)] = h;
    };
    set(opcode::lui, &load_upper<Lanes>);
    set(opcode::auipc, &add_upper_to_pc<Lanes>);
    set(opcode::jal, &link<Lanes>);
    set(opcode::jalr, &link<Lanes>);
    set(opcode::addi, &immediate<operation::add, Lanes>);
    set(opcode::slti, &immediate<operation::less, Lanes>);
    set(opcode::sltiu, &immediate<operation::less_unsigned, Lanes>);
    set(opcode::xori, &immediate<operation::bit_xor, Lanes>);
    set(opcode::ori, &immediate<operation::bit_or, Lanes>);
    set(opcode::andi, &immediate<operation::bit_and, Lanes>);
    set(opcode::slli, &immediate<operation::shift_left, Lanes>);
    set(opcode::srli, &immediate<operation::shift_right, Lanes>);
    set(opcode::srai, &immediate<operation::shift_right_signed, Lanes>);
    set(opcode::add, &binary<operation::add, Lanes>);
    set(opcode::sub, &binary<operation::subtract, Lanes>);
    set(opcode::sll, &binary<operation::shift_left, Lanes>);
    set(opcode::slt, &binary<operation::less, Lanes>);
    set(opcode::sltu, &binary<operation::less_unsigned, Lanes>);
    set(opcode::xor_, &binary<operation::bit_xor, Lanes>);
    set(opcode::srl, &binary<operation::shift_right, Lanes>);
    set(opcode::sra, &binary<operation::shift_right_signed, Lanes>);
    set(opcode::or_, &binary<operation::bit_or, Lanes>);
    set(opcode::and_, &binary<operation::bit_and, Lanes>);
    set(opcode::mul, &binary<operation::multiply, Lanes>);
    set(opcode::mulh, &binary<operation::multiply_high, Lanes>);
    set(opcode::mulhsu, &binary<operation::multiply_high_mixed, Lanes>);
    set(opcode::mulhu, &binary<operation::multiply_high_unsigned, Lanes>);
    set(opcode::div, &binary<operation::divide, Lanes>);
    set(opcode::divu, &binary<operation::divide_unsigned, Lanes>);
    set(opcode::rem, &binary<operation::remainder, Lanes>);
    set(opcode::remu, &binary<operation::remainder_unsigned, Lanes>);
    set(opcode::czero_eqz, &binary<operation::zero_if_zero, Lanes>);
    set(opcode::czero_nez, &binary<operation::zero_if_nonzero, Lanes>);
    return table;
}

template <unsigned Lanes>
constexpr std::array<handler<Lanes>, opcode_count> full_table() {
    std::array<handler<Lanes>, opcode_count> table = integer_table<Lanes>();
    const auto set = [&table](opcode op, handler<Lanes> h) {
        table[static_cast<unsigned>(op)] = h;
    };
    set(opcode::fadd_s, &rounded_binary<operation::float_add, Lanes>);
    set(opcode::fsub_s, &rounded_binary<operation::float_subtract, Lanes>);
    set(opcode::fmul_s, &rounded_binary<operation::float_multiply, Lanes>);
    set(opcode::fdiv_s, &rounded_binary<operation::float_divide, Lanes>);
    set(opcode::fsqrt_s, &rounded_unary<operation::float_square_root, Lanes>);
    set(opcode::fmadd_s, &rounded_ternary<operation::float_multiply_add<false, false>, Lanes>);
    set(opcode::fmsub_s, &rounded_ternary<operation::float_multiply_add<false, true>, Lanes>);
    set(opcode::fnmsub_s, &rounded_ternary<operation::float_multiply_add<true, false>, Lanes>);
    set(opcode::fnmadd_s, &rounded_ternary<operation::float_multiply_add<true, true>, Lanes>);
    set(opcode::fsgnj_s, &binary<operation::sign_inject, Lanes>);
    set(opcode::fsgnjn_s, &binary<operation::sign_inject_inverted, Lanes>);
    set(opcode::fsgnjx_s, &binary<operation::sign_inject_xor, Lanes>);
    set(opcode::fmin_s, &binary<operation::float_minimum, Lanes>);
    set(opcode::fmax_s, &binary<operation::float_maximum, Lanes>);
    set(opcode::feq_s, &binary<operation::float_equal, Lanes>);
    set(opcode::flt_s, &binary<operation::float_less, Lanes>);
    set(opcode::fle_s, &binary<operation::float_less_equal, Lanes>);
    set(opcode::fclass_s, &unary<operation::float_class, Lanes>);
    set(opcode::fcvt_w_s, &float_to_integer<operation::float_to_signed, Lanes>);
    set(opcode::fcvt_wu_s, &float_to_integer<operation::float_to_unsigned, Lanes>);
    set(opcode::fcvt_s_w, &rounded_unary<operation::signed_to_float, Lanes>);
    set(opcode::fcvt_s_wu, &rounded_unary<operation::unsigned_to_float, Lanes>);
    set(opcode::rcp_s, &unary<operation::reciprocal, Lanes>);
    set(opcode::rsq_s, &unary<operation::reciprocal_square_root, Lanes>);
    set(opcode::ex2_s, &unary<operation::exponential2, Lanes>);
    set(opcode::lg2_s, &unary<operation::logarithm2, Lanes>);
    set(opcode::sin_s, &unary<operation::sine<0>, Lanes>);
    set(opcode::cos_s, &unary<operation::sine<1>, Lanes>);
    set(opcode::vote_any, &vote<Lanes>);
    set(opcode::vote_all, &vote<Lanes>);
    set(opcode::ballot, &vote<Lanes>);
    set(opcode::ballot_high, &vote<Lanes>);
    set(opcode::shfl_idx, &shuffle<Lanes>);
    set(opcode::shfl_up, &shuffle<Lanes>);
    set(opcode::shfl_down, &shuffle<Lanes>);
    set(opcode::shfl_xor, &shuffle<Lanes>);
    return table;
}

}  // namespace handle

template <unsigned Lanes>
lane_mask branch_taken(const instruction& i, const warp_registers<Lanes>& r, lane_mask active) {
    switch (i.op) {
        case opcode::beq:
            return active & handle::taken<operation::equal>(i, r);
        case opcode::bne:
            return active & handle::taken<operation::not_equal>(i, r);
        case opcode::blt:
            return active & handle::taken<operation::below>(i, r);
        case opcode::bge:
            return active & handle::taken<operation::not_below>(i, r);
        case opcode::bltu:
            return active & handle::taken<operation::below_unsigned>(i, r);
        case opcode::bgeu:
            return active & handle::taken<operation::not_below_unsigned>(i, r);
        default:
            return 0;
    }
}

template <unsigned Lanes>
void jump_targets(const instruction& i, const warp_registers<Lanes>& r, std::uint32_t* targets) {
    const std::uint32_t* base = r.x[i.rs1];
    const auto offset = static_cast<std::uint32_t>(i.imm);
    for (unsigned lane = 0; lane < Lanes; ++lane) targets[lane] = (base[lane] + offset) & ~1u;
}

template <unsigned Lanes>
void effective_addresses(const instruction& i, const warp_registers<Lanes>& r,
                         std::uint32_t* addresses) {
    const std::uint32_t* base = r.x[i.rs1];
    const auto offset = static_cast<std::uint32_t>(i.imm);
    for (unsigned lane = 0; lane < Lanes; ++lane) addresses[lane] = base[lane] + offset;
}

template <unsigned Lanes>
void write_register(warp_registers<Lanes>& r, unsigned rd, const std::uint32_t* values,
                    lane_mask active) {
    lanes::assign<Lanes>(r.x[rd], active, [values](unsigned lane) { return values[lane]; });
}

template <unsigned Lanes>
lane_mask illegal_rounding(const instruction& i, lane_mask active, const std::uint8_t* frm) {
    if (!i.uses_frm() || lanes::all_nearest_even<Lanes>(frm)) return 0;
    lane_mask illegal = 0;
    lanes::for_active(active, [&illegal, frm](unsigned lane) {
        if (frm[lane] > rounding::nearest_max_magnitude) illegal |= lane_mask{1} << lane;
    });
    return illegal;
}

}  // namespace heddle::isa

/// Instantiates everything for one warp width.
#define HEDDLE_INSTANTIATE_LANES(width)                                                           \
    template <>                                                                                   \
    const std::array<handler<width>, opcode_count> handler_table<width>::entries =                \
        handle::full_table<width>();                                                              \
    template lane_mask branch_taken(const instruction&, const warp_registers<width>&, lane_mask); \
    template void jump_targets(const instruction&, const warp_registers<width>&, std::uint32_t*); \
    template void effective_addresses(const instruction&, const warp_registers<width>&,           \
                                      std::uint32_t*);                                            \
    template void write_register(warp_registers<width>&, unsigned, const std::uint32_t*,          \
                                 lane_mask);                                                      \
    template lane_mask illegal_rounding<width>(const instruction&, lane_mask, const std::uint8_t*)
