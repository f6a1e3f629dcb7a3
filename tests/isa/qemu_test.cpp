// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Differential test: random instructions here and on qemu-riscv32, an independent implementation.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tb/kit/paths.h"
#include "tests/isa/machine.h"
#include "tests/isa/random_instructions.h"

namespace heddle::isa::test {
namespace {

constexpr unsigned block_count = 2200;
constexpr unsigned random_per_block = 50;
constexpr std::uint32_t load_address = 0x10000;
constexpr unsigned base_register = 31;        // initial values, then results, of the block
constexpr unsigned scratch_register = 30;     // memory that random loads, stores and atomics use
constexpr unsigned free_registers = 30;       // x0..x29 are random
constexpr std::uint32_t frame_bytes = 128;    // x0..x31 before and after a block
constexpr std::uint32_t scratch_bytes = 256;  // per block

constexpr std::uint32_t li_upper(unsigned rd, std::uint32_t value) {
    return ((value + 0x800) & 0xfffff000) | rd << 7 | 0x37;
}
constexpr std::uint32_t li_lower(unsigned rd, std::uint32_t value) {
    return (value & 0xfff) << 20 | rd << 15 | rd << 7 | 0x13;
}
constexpr std::uint32_t load_word(unsigned rd, unsigned rs1, std::uint32_t offset) {
    return offset << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0x03;
}
constexpr std::uint32_t store_word(unsigned rs2, unsigned rs1, std::uint32_t offset) {
    return (offset >> 5) << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | (offset & 31) << 7 | 0x23;
}

/// A program of blocks: load x1..x29, 50 random instructions, store x1..x29.
class random_program {
public:
    explicit random_program(std::uint64_t seed) : random_(seed) {
        // The length of the code does not depend on the addresses: measure, then generate.
        generator start = random_;
        generate(0);
        const auto code_bytes = static_cast<std::uint32_t>(words_.size() * 4);
        random_ = start;
        words_.clear();
        data_ = (load_address + header_bytes + code_bytes + 63) & ~63u;
        generate(data_);
        words_.resize((data_ - load_address - header_bytes) / 4);
        for (unsigned k = 0; k < data_bytes() / 4; ++k)
            words_.push_back(interesting_value(random_));
    }

    std::uint32_t data_address() const { return data_; }
    static constexpr std::uint32_t data_bytes() {
        return block_count * (frame_bytes + scratch_bytes);
    }
    std::uint32_t block_address(unsigned block) const { return block_start_[block]; }
    std::uint32_t word_at(std::uint32_t pc) const {
        return words_[(pc - load_address - header_bytes) / 4];
    }

    /// A static Linux executable, one segment, readable, writable and executable.
    std::vector<char> elf() const {
        Elf32_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS32;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_EXEC;
        header.e_machine = EM_RISCV;
        header.e_version = EV_CURRENT;
        header.e_entry = load_address + header_bytes;
        header.e_phoff = sizeof header;
        header.e_ehsize = sizeof header;
        header.e_phentsize = sizeof(Elf32_Phdr);
        header.e_phnum = 1;
        Elf32_Phdr segment{};
        segment.p_type = PT_LOAD;
        segment.p_vaddr = segment.p_paddr = load_address;
        segment.p_filesz = segment.p_memsz =
            static_cast<std::uint32_t>(header_bytes + words_.size() * 4);
        segment.p_flags = PF_R | PF_W | PF_X;
        segment.p_align = 4096;
        std::vector<char> bytes(segment.p_filesz);
        std::memcpy(bytes.data(), &header, sizeof header);
        std::memcpy(bytes.data() + sizeof header, &segment, sizeof segment);
        std::memcpy(bytes.data() + header_bytes, words_.data(), words_.size() * 4);
        return bytes;
    }

private:
    static constexpr std::uint32_t header_bytes = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);
    static_assert(header_bytes % 4 == 0);
    static constexpr std::uint32_t environment_call = 0x73;

    void emit(std::uint32_t word) { words_.push_back(word); }

    void generate(std::uint32_t data) {
        block_start_.clear();
        for (unsigned block = 0; block < block_count; ++block) {
            block_start_.push_back(load_address + header_bytes +
                                   static_cast<std::uint32_t>(words_.size() * 4));
            const std::uint32_t frame = data + block * (frame_bytes + scratch_bytes);
            load_immediate(base_register, frame);
            load_immediate(scratch_register, frame + frame_bytes);
            for (unsigned k = 1; k < free_registers; ++k) emit(load_word(k, base_register, 4 * k));
            for (unsigned k = 0; k < random_per_block; ++k) emit_random();
            // Two no-ops that a last branch or jump may skip.
            emit(0x13);
            emit(0x13);
            for (unsigned k = 1; k < free_registers; ++k) emit(store_word(k, base_register, 4 * k));
        }
        finish(data);
    }

    void load_immediate(unsigned index, std::uint32_t value) {
        emit(li_upper(index, value));
        emit(li_lower(index, value));
    }

    /// write(1, data, data_bytes); exit(0).
    void finish(std::uint32_t data) {
        constexpr unsigned a0 = 10;
        constexpr unsigned a7 = 17;
        load_immediate(a0, 1);
        load_immediate(a0 + 1, data);
        load_immediate(a0 + 2, data_bytes());
        load_immediate(a7, 64);
        emit(environment_call);
        load_immediate(a0, 0);
        load_immediate(a7, 93);
        emit(environment_call);
    }

    static bool usable(const instruction_row& row) {
        switch (row.cls) {
            case instruction_class::integer:
            case instruction_class::multiply:
            case instruction_class::divide:
            case instruction_class::floating:
            case instruction_class::floating_divide:
                // qemu 7.2 has no Zicond.
                return row.op != opcode::czero_eqz && row.op != opcode::czero_nez;
            case instruction_class::load:
                return row.format == instruction_format::load;  // not the custom ones
            case instruction_class::atomic:
                return (row.match & 0x7f) == 0x2f && row.op != opcode::amocas_w &&
                       row.op != opcode::lr_w && row.op != opcode::sc_w;
            case instruction_class::store:
            case instruction_class::branch:
            case instruction_class::jump:
                return true;
            default:
                return false;
        }
    }

    static bool is_float(const instruction_row& row) {
        return row.cls == instruction_class::floating ||
               row.cls == instruction_class::floating_divide;
    }

    /// One instruction that leaves x30 and x31 alone, jumps over at most one other and accesses
    /// only the scratch bytes of its block.
    void emit_random() {
        if (below(random_, 24) == 0) {  // csrrwi rd, frm, 0..4
            emit(0x00205073 | below(random_, free_registers) << 7 | below(random_, 5) << 15);
            return;
        }
        const bool wants_float = below(random_, 2) == 0;
        const instruction_row* row = nullptr;
        do {
            row = &instruction_table[below(random_, std::size(instruction_table))];
        } while (!usable(*row) || is_float(*row) != wants_float);
        std::uint32_t word = random_encoding(*row, random_);
        const auto replace = [&word](unsigned low, unsigned bits, std::uint32_t value) {
            const std::uint32_t mask = ((1u << bits) - 1) << low;
            word = (word & ~mask) | (value << low & mask);
        };
        if (row->cls == instruction_class::branch) {
            replace(7, 5, 8);  // +8
            replace(25, 7, 0);
        } else {
            replace(7, 5, below(random_, free_registers));
        }
        if (row->cls == instruction_class::jump) replace(12, 20, 8u << 8);  // +8
        const std::uint32_t offset = below(random_, scratch_bytes / 4) * 4;
        if (row->cls == instruction_class::load) replace(20, 12, offset);
        if (row->cls == instruction_class::store) {
            replace(7, 5, offset & 31);
            replace(25, 7, offset >> 5);
        }
        if (row->cls == instruction_class::load || row->cls == instruction_class::store ||
            row->cls == instruction_class::atomic) {
            replace(15, 5, scratch_register);
        }
        emit(word);
    }

    generator random_;
    std::vector<std::uint32_t> words_;
    std::vector<std::uint32_t> block_start_;
    std::uint32_t data_ = 0;
};

bool have_qemu() {
    return std::system("qemu-riscv32 --version > /dev/null 2>&1") == 0;
}

/// Standard output of a command.
std::vector<std::uint8_t> output_of(const std::string& command) {
    std::vector<std::uint8_t> bytes;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return bytes;
    std::uint8_t buffer[65536];
    for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
        bytes.insert(bytes.end(), buffer, buffer + n);
    }
    pclose(pipe);
    return bytes;
}

/// The block's instructions and where its results differ, for the failure message.
std::string explain(const random_program& program, unsigned block, const std::uint8_t* ours,
                    const std::uint8_t* theirs) {
    std::string text = "block " + std::to_string(block) + "\n";
    const std::uint32_t first = program.block_address(block) + 4 * (4 + free_registers - 1);
    for (unsigned k = 0; k < random_per_block; ++k) {
        const std::uint32_t pc = first + 4 * k;
        text += "  " + disassemble(decode(program.word_at(pc)), pc) + "\n";
    }
    for (unsigned k = 0; k < (frame_bytes + scratch_bytes) / 4; ++k) {
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        std::memcpy(&a, ours + 4 * k, 4);
        std::memcpy(&b, theirs + 4 * k, 4);
        if (a == b) continue;
        char line[96];
        std::snprintf(line, sizeof line, "%s %u: ours %08x, qemu %08x\n",
                      k < 32 ? register_name(k) : "scratch word", k, static_cast<unsigned>(a),
                      static_cast<unsigned>(b));
        text += line;
    }
    return text;
}

template <unsigned Lanes>
void compare(const random_program& program, const flat_program& flat, lane_mask active,
             const std::vector<std::uint8_t>& expected) {
    machine<Lanes> warp(flat, active);
    ASSERT_TRUE(warp.run(10'000'000)) << warp.error();
    constexpr std::uint32_t stride = frame_bytes + scratch_bytes;
    const std::uint32_t start = program.data_address() - load_address;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        if ((active >> lane & 1) == 0) continue;
        const std::uint8_t* results = warp.memory(lane).data() + start;
        for (unsigned block = 0; block < block_count; ++block) {
            ASSERT_EQ(
                std::memcmp(results + block * stride, expected.data() + block * stride, stride), 0)
                << "lane " << lane << " of " << Lanes << ", "
                << explain(program, block, results + block * stride,
                           expected.data() + block * stride);
        }
    }
}

TEST(qemu_differential, random_instructions_give_the_same_registers_and_memory) {
    if (!have_qemu()) GTEST_SKIP() << "qemu-riscv32 is not installed (Debian: qemu-user)";
    static_assert(block_count * random_per_block >= 100'000);
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE("HEDDLE_TEST_SEED=" + std::to_string(seed));
    std::printf("HEDDLE_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
    const random_program program(seed);
    const std::string path = build_path("tests/isa/random_program.elf");
    {
        std::ofstream file(path, std::ios::binary);
        const std::vector<char> elf = program.elf();
        file.write(elf.data(), static_cast<std::streamsize>(elf.size()));
        ASSERT_TRUE(file.good());
    }
    ASSERT_EQ(std::system(("chmod +x '" + path + "'").c_str()), 0);
    const std::vector<std::uint8_t> expected =
        output_of("qemu-riscv32 -cpu rv32,f=off,d=off,zfinx=on '" + path + "'");
    ASSERT_EQ(expected.size(), random_program::data_bytes()) << "qemu did not run to the end";

    const flat_program flat = load_flat(path);
    ASSERT_EQ(flat.error, "");
    compare<32>(program, flat, all_lanes<32>, expected);
    compare<64>(program, flat, 0x8000000000002001, expected);
}

}  // namespace
}  // namespace heddle::isa::test
