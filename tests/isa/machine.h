// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "models/isa/atomic.h"
#include "models/isa/csr.h"
#include "models/isa/execute.h"

namespace heddle::isa::test {

/// The loadable bytes of a static RV32 program, as one flat piece of memory.
struct flat_program {
    std::uint32_t base = 0;   ///< address of bytes[0]
    std::uint32_t entry = 0;  ///< first PC
    std::vector<std::uint8_t> bytes;
    std::string error;  ///< empty if the program is usable
};

/// Reads an ELF file of 32 bits; bss and `room` further bytes are zero.
inline flat_program load_flat(const std::string& path, std::uint32_t room = 4096) {
    flat_program program;
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> data{std::istreambuf_iterator<char>(file), {}};
    Elf32_Ehdr header;
    if (data.size() < sizeof header) {
        program.error = path + ": cannot be read as an ELF file";
        return program;
    }
    std::memcpy(&header, data.data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_machine != EM_RISCV) {
        program.error = path + ": is no 32-bit RISC-V ELF file";
        return program;
    }
    std::vector<Elf32_Phdr> segments;
    std::uint32_t low = ~0u;
    std::uint32_t high = 0;
    for (unsigned k = 0; k < header.e_phnum; ++k) {
        Elf32_Phdr segment;
        const std::size_t at = header.e_phoff + k * sizeof segment;
        if (at + sizeof segment > data.size()) break;
        std::memcpy(&segment, data.data() + at, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0) continue;
        if (std::size_t{segment.p_offset} + segment.p_filesz > data.size()) {
            program.error = path + ": is truncated";
            return program;
        }
        low = std::min(low, segment.p_vaddr);
        high = std::max(high, segment.p_vaddr + segment.p_memsz);
        segments.push_back(segment);
    }
    if (segments.empty() || high - low > (64u << 20)) {
        program.error = path + ": has no loadable bytes, or spans more than 64 MiB";
        return program;
    }
    program.base = low;
    program.entry = header.e_entry;
    program.bytes.resize(high - low + room);
    for (const Elf32_Phdr& segment : segments) {
        std::memcpy(program.bytes.data() + (segment.p_vaddr - low), data.data() + segment.p_offset,
                    segment.p_filesz);
    }
    return program;
}

/// A warp that runs a flat program: every lane with a PC and a memory of its own, the lanes at the
/// lowest PC step together. Knows two of Linux' environment calls: exit (a7 = 93, a0 = exit code)
/// ends the lane, write (a7 = 64) does nothing.
template <unsigned Lanes>
class machine {
public:
    machine(const flat_program& program, lane_mask lanes) : base_(program.base), live_(lanes) {
        std::memset(&registers_, 0, sizeof registers_);
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            pc_[lane] = program.entry;
            if ((lanes >> lane & 1) != 0) memory_[lane] = program.bytes;
        }
    }

    /// Runs until every lane has ended; false (with error()) at a trap or after `limit` steps.
    bool run(std::uint64_t limit) {
        while (live_ != 0 && error_.empty()) {
            if (steps_ == limit) fail("no end after " + std::to_string(limit) + " steps", 0);
            if (error_.empty()) step();
        }
        return error_.empty();
    }

    const std::string& error() const { return error_; }
    std::uint32_t exit_code(unsigned lane) const { return exit_code_[lane]; }
    const std::vector<std::uint8_t>& memory(unsigned lane) const { return memory_[lane]; }
    const warp_registers<Lanes>& registers() const { return registers_; }
    std::uint64_t steps() const { return steps_; }
    /// Times that each opcode was executed.
    const std::array<std::uint64_t, opcode_count>& executed() const { return executed_; }

private:
    template <class Visit>
    static void for_lanes(lane_mask mask, Visit visit) {
        for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(__builtin_ctzll(mask)));
    }

    void fail(const std::string& what, std::uint32_t pc) {
        char text[32];
        std::snprintf(text, sizeof text, " at pc 0x%x", static_cast<unsigned>(pc));
        if (error_.empty()) error_ = what + text;
    }

    /// Bytes at an address of a lane's memory; null (and a failure) if outside or misaligned.
    std::uint8_t* at(unsigned lane, std::uint32_t address, unsigned bytes, std::uint32_t pc) {
        const std::uint32_t offset = address - base_;
        if (offset > memory_[lane].size() - bytes || address % bytes != 0) {
            fail("bad access of " + std::to_string(address), pc);
            return nullptr;
        }
        return memory_[lane].data() + offset;
    }

    void step() {
        std::uint32_t pc = ~0u;
        for_lanes(live_, [&](unsigned lane) { pc = std::min(pc, pc_[lane]); });
        lane_mask active = 0;
        for_lanes(live_, [&](unsigned lane) {
            if (pc_[lane] == pc) active |= lane_mask{1} << lane;
        });
        std::uint32_t word = 0;
        const std::uint8_t* code = at(static_cast<unsigned>(__builtin_ctzll(active)), pc, 4, pc);
        if (code == nullptr) return;
        std::memcpy(&word, code, sizeof word);
        const instruction i = decode(word);
        ++steps_;
        ++executed_[static_cast<unsigned>(i.op)];
        for_lanes(active, [&](unsigned lane) { pc_[lane] = pc + 4; });
        if (illegal_rounding<Lanes>(i, active, frm_) != 0) fail("invalid frm", pc);
        carry_out(i, pc, active);
    }

    void carry_out(const instruction& i, std::uint32_t pc, lane_mask active) {
        switch (i.cls) {
            case instruction_class::load:
            case instruction_class::store:
            case instruction_class::atomic:
                access(i, pc, active);
                return;
            case instruction_class::branch: {
                const lane_mask taken = branch_taken<Lanes>(i, registers_, active);
                for_lanes(taken, [&](unsigned lane) {
                    pc_[lane] = pc + static_cast<std::uint32_t>(i.imm);
                });
                return;
            }
            case instruction_class::jump:
                for_lanes(active, [&](unsigned lane) {
                    pc_[lane] = pc + static_cast<std::uint32_t>(i.imm);
                });
                break;
            case instruction_class::jump_register: {
                std::uint32_t targets[Lanes];
                jump_targets<Lanes>(i, registers_, targets);
                for_lanes(active, [&](unsigned lane) { pc_[lane] = targets[lane]; });
                break;
            }
            case instruction_class::csr:
                access_csr(i, pc, active);
                return;
            case instruction_class::environment:
                call_environment(i, pc, active);
                return;
            case instruction_class::fence:
                return;
            default:
                if (!i.is_arithmetic()) fail("cannot run: " + disassemble(i, pc), pc);
                break;
        }
        execute<Lanes>(i, pc, registers_, active, frm_);
    }

    void access(const instruction& i, std::uint32_t pc, lane_mask active) {
        std::uint32_t addresses[Lanes];
        std::uint32_t loaded[Lanes] = {};
        effective_addresses<Lanes>(i, registers_, addresses);
        for_lanes(active, [&](unsigned lane) {
            std::uint8_t* data = at(lane, addresses[lane], i.access_bytes(), pc);
            if (data == nullptr) return;
            std::uint32_t old = 0;
            std::memcpy(&old, data, i.access_bytes());
            const std::uint32_t operand = registers_.x[i.rs2][lane];
            if (i.cls == instruction_class::load) {
                loaded[lane] = extend_loaded(i, old);
            } else if (i.cls == instruction_class::store) {
                std::memcpy(data, &operand, i.access_bytes());
            } else {
                loaded[lane] = access_atomic(i, lane, data, old);
            }
        });
        if (i.cls != instruction_class::store) {
            write_register<Lanes>(registers_, i.rd, loaded, active);
        }
    }

    /// Returns the value for rd.
    std::uint32_t access_atomic(const instruction& i, unsigned lane, std::uint8_t* data,
                                std::uint32_t old) {
        const std::uint8_t* reserved = reservation_[lane];
        if (i.op == opcode::lr_w || i.op == opcode::sc_w) reservation_[lane] = nullptr;
        if (i.op == opcode::lr_w) reservation_[lane] = data;
        if (i.op == opcode::sc_w && reserved != data) return 1;
        const std::uint32_t value =
            atomic_result(i.op, old, registers_.x[i.rs2][lane], registers_.x[i.rs3][lane]);
        std::memcpy(data, &value, sizeof value);
        return i.op == opcode::sc_w ? 0 : old;
    }

    std::uint32_t read_csr(csr number, unsigned lane) const {
        switch (number) {
            case csr::frm:
                return frm_[lane];
            case csr::fcsr:
                return static_cast<std::uint32_t>(frm_[lane]) << 5;
            case csr::cycle:
            case csr::time:
            case csr::instret:
            case csr::clock:
                return static_cast<std::uint32_t>(steps_);
            case csr::tid_x:
            case csr::laneid:
                return lane;
            case csr::ntid_x:
            case csr::warpsize:
                return Lanes;
            default:
                return 0;
        }
    }

    void access_csr(const instruction& i, std::uint32_t pc, lane_mask active) {
        if (!csr_legal(i)) return fail("illegal csr access", pc);
        const auto number = static_cast<csr>(csr_number(i));
        std::uint32_t old[Lanes] = {};
        for_lanes(active, [&](unsigned lane) {
            old[lane] = read_csr(number, lane);
            if (!csr_writes(i)) return;
            const std::uint32_t value = csr_result(i, old[lane], registers_.x[i.rs1][lane]);
            if (number == csr::frm) frm_[lane] = value & 7;
            if (number == csr::fcsr) frm_[lane] = value >> 5 & 7;
        });
        write_register<Lanes>(registers_, i.rd, old, active);
    }

    void call_environment(const instruction& i, std::uint32_t pc, lane_mask active) {
        constexpr unsigned a0 = 10;
        constexpr unsigned a7 = 17;
        constexpr std::uint32_t write_call = 64;
        constexpr std::uint32_t exit_call = 93;
        for_lanes(active, [&](unsigned lane) {
            const std::uint32_t call = registers_.x[a7][lane];
            if (i.op == opcode::ecall && call == write_call) return;
            if (i.op != opcode::ecall || call != exit_call) {
                return fail("unknown environment call", pc);
            }
            exit_code_[lane] = registers_.x[a0][lane];
            live_ &= ~(lane_mask{1} << lane);
        });
    }

    std::uint32_t base_;
    lane_mask live_;
    warp_registers<Lanes> registers_;
    std::uint32_t pc_[Lanes] = {};
    std::uint8_t frm_[Lanes] = {};
    std::uint32_t exit_code_[Lanes] = {};
    const std::uint8_t* reservation_[Lanes] = {};
    std::vector<std::uint8_t> memory_[Lanes];
    std::array<std::uint64_t, opcode_count> executed_{};
    std::uint64_t steps_ = 0;
    std::string error_;
};

}  // namespace heddle::isa::test
