// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/thread_model.h"

#include <stdexcept>

#include "models/isa/csr.h"

namespace heddle::smx_reference {

using isa::opcode;

void thread_model::execute(const isa::instruction& i, std::uint32_t pc, isa::lane_mask lanes) {
    if (!i.writes_register()) return;
    for (unsigned lane = 0; lane < where_.warp_size; ++lane) {
        if ((lanes >> lane & 1) != 0) x_[i.rd][lane] = result(i, pc, lane);
    }
}

std::uint32_t thread_model::result(const isa::instruction& i, std::uint32_t pc,
                                   unsigned lane) const {
    const std::uint32_t a = x_[i.rs1][lane];
    const std::uint32_t b = x_[i.rs2][lane];
    const auto immediate = static_cast<std::uint32_t>(i.imm);
    switch (i.op) {
        case opcode::lui:
            return immediate;
        case opcode::auipc:
            return pc + immediate;
        case opcode::jal:
        case opcode::jalr:
            return pc + 4;
        case opcode::addi:
            return a + immediate;
        case opcode::andi:
            return a & immediate;
        case opcode::slli:
            return a << immediate;
        case opcode::srli:
            return a >> immediate;
        case opcode::add:
            return a + b;
        case opcode::csrrs:
            return id(i, lane);
        default:
            return 0;
    }
}

std::uint32_t thread_model::id(const isa::instruction& i, unsigned lane) const {
    switch (static_cast<isa::csr>(i.imm)) {
        case isa::csr::tid_x:
            return where_.warp * where_.warp_size + lane;
        case isa::csr::laneid:
            return lane;
        case isa::csr::warpid:
            return where_.warp;
        case isa::csr::ctaid_x:
            return where_.block;
        default:
            return 0;
    }
}

bool thread_model::takes_branch(const isa::instruction& i, unsigned lane) const {
    const std::uint32_t a = x_[i.rs1][lane];
    const std::uint32_t b = x_[i.rs2][lane];
    switch (i.op) {
        case opcode::beq:
            return a == b;
        case opcode::bne:
            return a != b;
        case opcode::blt:
            return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
        case opcode::bge:
            return static_cast<std::int32_t>(a) >= static_cast<std::int32_t>(b);
        case opcode::bltu:
            return a < b;
        case opcode::bgeu:
            return a >= b;
        default:
            throw std::logic_error("no branch");
    }
}

}  // namespace heddle::smx_reference
