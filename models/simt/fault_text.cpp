// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/fault_text.h"

#include <fmt/format.h>

namespace heddle::simt {

using isa::instruction_class;

/// `unimp`: a write to a read-only register, which assemblers and compilers reserve for a trap.
constexpr std::uint32_t unimplemented = 0xc0001073;

device_location locate_lane(const std::string& kernel, const block_identity& block, unsigned warp,
                            unsigned lanes, unsigned lane, std::uint32_t pc) {
    const std::uint64_t thread = std::uint64_t{warp} * lanes + lane;
    return {kernel, block.index, unflatten(thread, block.block), pc};
}

std::string past_end_text() {
    return "execution runs past the end of the program's code";
}

std::string bad_target_text(const program::kernel_code& code, std::uint32_t target) {
    return fmt::format(
        "jump to 0x{:08x}, which is no instruction of the program [0x{:08x}, "
        "0x{:08x})",
        target, code.base, code.base + 4 * code.instructions.size());
}

std::string divergent_call_text(isa::opcode op, const block_identity& block, unsigned warp,
                                unsigned lanes, isa::lane_mask arriving, isa::lane_mask live) {
    const auto first = static_cast<unsigned>(__builtin_ctzll(live & ~arriving));
    const std::uint64_t thread = std::uint64_t{warp} * lanes + first;
    return fmt::format("divergent {}: {} of the warp's {} threads arrive; thread {} is elsewhere",
                       isa::mnemonic(op), __builtin_popcountll(arriving),
                       __builtin_popcountll(live), to_text(unflatten(thread, block.block)));
}

std::string split_call_text(isa::opcode one, isa::opcode other) {
    return fmt::format("divergent {}: other threads of the block wait at {}", isa::mnemonic(other),
                       isa::mnemonic(one));
}

std::string no_origin_text(isa::opcode op) {
    return fmt::format("{}: thread 0 of the block has ended, whose state new blocks receive",
                       isa::mnemonic(op));
}

std::string mixed_barriers_text(const std::string& kernel) {
    return fmt::format("kernel '{}': blocks wait at the global barrier, others at the resizing one",
                       kernel);
}

std::string split_barrier_text(unsigned waiting, std::uint32_t one, std::uint32_t other) {
    return fmt::format(
        "divergent barrier: all {} threads of the block wait, some at the barrier at 0x{:08x} and "
        "some at that at 0x{:08x}",
        waiting, one, other);
}

std::string refusal_text(const isa::instruction& instruction, std::uint32_t pc) {
    switch (instruction.cls) {
        case instruction_class::environment:
            return instruction.op == isa::opcode::ebreak
                       ? "trap: the program executed ebreak (assert, __builtin_debugtrap)"
                       : "environment call: ecall has no meaning on the device";
        case instruction_class::launch:
            return fmt::format(
                "'{}': kernels may not launch on this configuration (launch.enabled)",
                isa::disassemble(instruction, pc));
        case instruction_class::transaction:
            return fmt::format("'{}': this configuration has no transactional memory (tm.enabled)",
                               isa::disassemble(instruction, pc));
        case instruction_class::cooperation:
            return fmt::format(
                "'{}': the launch is not a cooperative one; legal: heddle run with "
                "--cooperative, a host program with launch_shape::cooperative",
                isa::disassemble(instruction, pc));
        case instruction_class::csr:
            if (instruction.raw == unimplemented) {
                return "trap: the program executed unimp (__builtin_trap)";
            }
            return fmt::format("illegal instruction '{}': no such register, or read-only",
                               isa::disassemble(instruction, pc));
        case instruction_class::floating:
        case instruction_class::floating_divide:
            return fmt::format(
                "illegal instruction '{}': frm holds no rounding mode "
                "(legal: 0 to 4)",
                isa::disassemble(instruction, pc));
        default:
            return fmt::format("illegal instruction 0x{:08x}", instruction.raw);
    }
}

std::string in_transaction_text(const isa::instruction& i, std::uint32_t pc) {
    const char* what = "this instruction";
    switch (i.cls) {
        case instruction_class::store:
            what = "a store to global memory";
            break;
        case instruction_class::atomic:
            what = "an atomic";
            break;
        case instruction_class::launch:
            what = "a launch";
            break;
        case instruction_class::transaction:
            what = "another transaction";
            break;
        default:
            if (i.op == isa::opcode::barrier) what = "a barrier";
            if (i.op == isa::opcode::exit) what = "the end of a thread";
            break;
    }
    return fmt::format("'{}' inside a transaction: {} has no place there", isa::disassemble(i, pc),
                       what);
}

std::string no_commit_text(bool in_transaction) {
    return in_transaction ? "'tx.commit' at another depth of branches or calls than its 'tx.begin'"
                          : "'tx.commit' outside of a transaction";
}

std::string transaction_size_text(std::uint32_t threads) {
    return fmt::format(
        "'tx.begin' in a block of {} threads: transactions need blocks of at most 256", threads);
}

std::string private_log_text(std::uint32_t words) {
    return fmt::format("a transaction stores to private memory more than {} times (tm.private_log)",
                       words);
}

std::string place_text(const program::image& image, std::uint32_t pc) {
    const std::string line = image.locate(pc).text();
    return fmt::format("0x{:08x}{}{}", pc, line.empty() ? "" : ", ", line);
}

}  // namespace heddle::simt
