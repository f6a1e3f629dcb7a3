// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/random_code.h"

#include <algorithm>

#include "models/isa/csr.h"

namespace heddle::smx_reference {

using isa::opcode;

namespace {

constexpr std::uint32_t jump_and_exit_room = 2;

std::uint32_t match_of(opcode op) {
    return isa::instruction_table[static_cast<std::size_t>(op) - 1].match;
}

}  // namespace

void random_code::put(opcode op, std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2) {
    code_.push_back(match_of(op) | rd << 7 | rs1 << 15 | rs2 << 20);
}

void random_code::put_i(opcode op, std::uint32_t rd, std::uint32_t rs1, std::int32_t immediate) {
    code_.push_back(match_of(op) | rd << 7 | rs1 << 15 |
                    static_cast<std::uint32_t>(immediate) << 20);
}

void random_code::put_store(opcode op, std::uint32_t rs1, std::uint32_t rs2,
                            std::int32_t immediate) {
    const auto i = static_cast<std::uint32_t>(immediate);
    code_.push_back(match_of(op) | (i & 31) << 7 | rs1 << 15 | rs2 << 20 | (i >> 5) << 25);
}

void random_code::set_branch(std::size_t at, opcode op, std::uint32_t rs1, std::uint32_t rs2,
                             std::size_t to) {
    const auto i = static_cast<std::uint32_t>(4 * to - 4 * at);
    code_[at] = match_of(op) | rs1 << 15 | rs2 << 20 | (i >> 11 & 1) << 7 | (i >> 1 & 15) << 8 |
                (i >> 5 & 63) << 25 | (i >> 12 & 1) << 31;
}

void random_code::set_jump(std::size_t at, std::size_t to) {
    const auto i = static_cast<std::uint32_t>(4 * to - 4 * at);
    code_[at] = match_of(opcode::jal) | (i >> 12 & 255) << 12 | (i >> 11 & 1) << 20 |
                (i >> 1 & 1023) << 21 | (i >> 20 & 1) << 31;
}

std::vector<std::uint32_t> random_code::make(std::size_t most) {
    code_.clear();
    most_ = most - jump_and_exit_room;
    put_i(opcode::csrrs, tid, 0, static_cast<std::int32_t>(isa::csr::tid_x));
    put_i(opcode::csrrs, lane, 0, static_cast<std::int32_t>(isa::csr::laneid));
    put_i(opcode::csrrs, block, 0, static_cast<std::int32_t>(isa::csr::ctaid_x));
    statements({}, 3 + below(25));
    code_.push_back(0);
    set_jump(code_.size() - 1, most);
    return code_;
}

void random_code::statements(const context& where, unsigned count) {
    // The longest statement without others in it has fewer than 24 instructions.
    for (; count != 0 && left() > 24; --count) statement(where);
}

void random_code::statement(const context& where) {
    switch (below(16)) {
        case 0:
        case 1:
        case 2:
        case 3:
            return arithmetic();
        case 4:
        case 5:
            if (where.depth < 3) return conditional(where);
            break;
        case 6:
            if (where.loops < 2) return loop(where);
            break;
        case 7:
            if (!where.together || below(3) != 0) break;
            return put(opcode::barrier, 0, 0);
        case 8:
            if (below(4) != 0) break;
            return put(opcode::fence, 0, 0);
        case 9:
            if (where.depth != 0 || below(4) != 0) break;
            return early_exit();
        case 10:
        case 11:
        case 12:
        case 13:
            return arithmetic();
        default:
            break;
    }
    accesses();
}

void random_code::arithmetic() {
    static constexpr opcode two[] = {opcode::add,    opcode::sub,    opcode::xor_, opcode::mul,
                                     opcode::mulhu,  opcode::div,    opcode::remu, opcode::fadd_s,
                                     opcode::fmul_s, opcode::fdiv_s, opcode::slt};
    static constexpr opcode one[] = {opcode::rcp_s, opcode::ex2_s, opcode::fsqrt_s, opcode::sin_s};
    for (unsigned n = 1 + below(8); n != 0; --n) {
        const std::uint32_t rd = below(12) == 0 ? 0 : data();
        switch (below(6)) {
            case 0:
                put(one[below(4)], rd, data());
                break;
            case 1:  // rs3
                put(opcode::fmadd_s, rd, data(), data());
                code_.back() |= data() << 27;
                break;
            case 2:
                put_i(opcode::addi, rd, below(2) == 0 ? data() : source(),
                      static_cast<std::int32_t>(below(4096)) - 2048);
                break;
            default:
                put(two[below(std::size(two))], rd, data(), below(3) == 0 ? source() : data());
                break;
        }
    }
}

void random_code::accesses() {
    const memory_piece in = pieces_[below(static_cast<std::uint32_t>(pieces_.size()))];
    const unsigned size_log2 = below(4) == 0 ? below(2) : 2;
    make_address(in, size_log2);
    for (unsigned n = 1 + below(2); n != 0; --n) access(in, size_log2);
}

/// Register `address`: somewhere in the piece, by thread, lane, block or all alike.
void random_code::make_address(const memory_piece& in, unsigned size_log2) {
    static constexpr unsigned strides[] = {0, 0, 0, 0, 0, 1, 2, 7};
    const unsigned shift = size_log2 + strides[below(8)];
    put_i(opcode::slli, address, below(5) == 0 ? 0 : source(), static_cast<std::int32_t>(shift));
    if (below(3) == 0) {  // some lanes share what they access
        put_i(opcode::srli, address, address, 2);
        put_i(opcode::srli, address, address, static_cast<std::int32_t>(size_log2));
        put_i(opcode::slli, address, address, static_cast<std::int32_t>(size_log2));
    }
    const std::uint32_t offset = (below(2048) >> size_log2) << size_log2;
    put_i(opcode::addi, address, address, static_cast<std::int32_t>(offset));
    if (below(3) == 0) put(opcode::add, address, address, outer);
    const std::uint32_t bits = std::min(in.bits, 7 + below(9));
    put_i(opcode::slli, address, address, static_cast<std::int32_t>(32 - bits));
    put_i(opcode::srli, address, address, static_cast<std::int32_t>(32 - bits + size_log2));
    put_i(opcode::slli, address, address, static_cast<std::int32_t>(size_log2));
    if (in.pointer != 0 && below(4) == 0) {  // without an index
        return put_i(opcode::addi, address, in.pointer, static_cast<std::int32_t>(offset));
    }
    if (in.pointer != 0 && below(3) != 0) return put(opcode::add, address, address, in.pointer);
    const std::uint32_t high = (in.base + 0x800) >> 12;
    code_.push_back(match_of(opcode::lui) | base << 7 | high << 12);
    put_i(opcode::addi, base, base, static_cast<std::int32_t>(in.base - (high << 12)));
    const bool by_constants = below(12) == 0;
    if (by_constants) put(opcode::sub, base, base, constants);
    put(opcode::add, address, address, base);
    // The code looks as if it loaded constants; the index leads elsewhere.
    if (by_constants) put(opcode::add, address, constants, address);
}

void random_code::access(const memory_piece& in, unsigned size_log2) {
    static constexpr opcode loads[] = {opcode::lb, opcode::lh, opcode::lw};
    static constexpr opcode stores[] = {opcode::sb, opcode::sh, opcode::sw};
    static constexpr opcode bypassing[] = {opcode::ldcg_b, opcode::ldcg_h, opcode::ldcg_w};
    static constexpr opcode read_only[] = {opcode::ldg_b, opcode::ldg_h, opcode::ldg_w};
    static constexpr opcode atomics[] = {opcode::amoadd_w, opcode::amoswap_w, opcode::amocas_w,
                                         opcode::amofadd_w};
    const auto offset = static_cast<std::int32_t>((below(1024) >> size_log2) << size_log2);
    const std::uint32_t rd = below(12) == 0 ? 0 : data();
    const unsigned what = below(in.writable ? 10 : 7);
    if (what < 5) {
        put_i(loads[size_log2], rd, address, offset);
    } else if (what == 5) {
        put(bypassing[size_log2], rd, address);
    } else if (what == 6) {
        put(read_only[size_log2], rd, address);
    } else if (what < 9 || size_log2 != 2) {
        put_store(stores[size_log2], address, data(), offset);
    } else {
        put(atomics[below(4)], rd, address, data());
    }
}

void random_code::conditional(const context& where) {
    put_i(opcode::andi, condition, source(), static_cast<std::int32_t>(1 + below(63)));
    const std::size_t test = code_.size();
    code_.push_back(0);
    context inside = where;
    ++inside.depth;
    inside.together = false;
    statements(inside, 1 + below(4));
    std::size_t otherwise = code_.size();
    if (below(2) == 0) {
        code_.push_back(0);
        ++otherwise;
        statements(inside, 1 + below(3));
        set_jump(otherwise - 1, code_.size());
    }
    static constexpr opcode tests[] = {opcode::beq, opcode::bne, opcode::blt, opcode::bgeu};
    set_branch(test, tests[below(4)], condition, below(2) == 0 ? 0 : lane, otherwise);
}

void random_code::loop(const context& where) {
    const std::uint32_t counter = where.loops == 0 ? outer : inner;
    context inside = where;
    ++inside.loops;
    ++inside.depth;
    if (below(3) == 0) {
        put_i(opcode::andi, counter, source(), static_cast<std::int32_t>(1 + below(7)));
        put_i(opcode::addi, counter, counter, 1);
        inside.together = false;
    } else {
        put_i(opcode::addi, counter, 0, static_cast<std::int32_t>(1 + below(6)));
    }
    const std::size_t begin = code_.size();
    statements(inside, 1 + below(5));
    put_i(opcode::addi, counter, counter, -1);
    code_.push_back(0);
    set_branch(code_.size() - 1, opcode::bne, counter, 0, begin);
}

void random_code::early_exit() {
    put_i(opcode::andi, condition, source(), static_cast<std::int32_t>(1 + below(127)));
    code_.push_back(0);
    put(opcode::exit, 0, 0);
    set_branch(code_.size() - 2, opcode::bne, condition, 0, code_.size());
}

}  // namespace heddle::smx_reference
