// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/isa/csr.h"
#include "models/isa/reference.h"
#include "tb/kit/paths.h"
#include "tests/isa/random_instructions.h"

namespace heddle::isa::test {
namespace {

TEST(instruction_table, rows_are_in_the_order_of_the_opcodes) {
    ASSERT_EQ(std::size(instruction_table) + 1, opcode_count);
    for (unsigned k = 1; k < opcode_count; ++k) {
        EXPECT_EQ(static_cast<unsigned>(row_of(static_cast<opcode>(k)).op), k);
    }
}

TEST(instruction_table, matches_lie_within_their_masks_and_are_32_bit_encodings) {
    for (const instruction_row& row : instruction_table) {
        EXPECT_EQ(row.match & ~row.mask, 0u) << row.mnemonic;
        EXPECT_EQ(row.match & 3, 3u) << row.mnemonic;
        EXPECT_EQ(row.mask & 0x7f, 0x7fu) << row.mnemonic;
    }
}

// Two rows share a word exactly if their matches agree where both masks are set.
TEST(instruction_table, no_word_matches_two_rows) {
    for (const instruction_row& a : instruction_table) {
        for (const instruction_row& b : instruction_table) {
            if (a.op == b.op) continue;
            EXPECT_NE((a.match ^ b.match) & a.mask & b.mask, 0u) << a.mnemonic << ' ' << b.mnemonic;
        }
    }
}

TEST(instruction_table, mnemonics_are_unique_and_meanings_given) {
    std::set<std::string> names;
    for (const instruction_row& row : instruction_table) {
        EXPECT_TRUE(names.insert(row.mnemonic).second) << row.mnemonic;
        EXPECT_NE(std::string(row.meaning), "");
        EXPECT_STREQ(mnemonic(row.op), row.mnemonic);
    }
    EXPECT_STREQ(mnemonic(opcode::illegal), "illegal");
}

TEST(csr_table, numbers_are_unique_and_read_only_ones_lie_in_the_read_only_range) {
    std::set<csr> numbers;
    for (const csr_description& row : csr_table) {
        EXPECT_TRUE(numbers.insert(row.number).second) << row.name;
        EXPECT_EQ(row.writable, static_cast<unsigned>(row.number) >> 10 != 3) << row.name;
        EXPECT_EQ(find_csr(static_cast<std::uint32_t>(row.number)), &row);
    }
    EXPECT_EQ(find_csr(0x300), nullptr);
}

TEST(csr, writes_to_read_only_and_unknown_registers_are_illegal) {
    EXPECT_TRUE(csr_legal(decode(0xcc002573)));   // csrrs a0, tid_x, zero
    EXPECT_FALSE(csr_legal(decode(0xcc05a573)));  // csrrs a0, tid_x, a1
    EXPECT_FALSE(csr_legal(decode(0xcc001573)));  // csrrw a0, tid_x, zero
    EXPECT_TRUE(csr_legal(decode(0x00259573)));   // csrrw a0, frm, a1
    EXPECT_FALSE(csr_legal(decode(0x30002573)));  // csrrs a0, mstatus, zero
}

TEST(decode, finds_the_row_of_every_encoding_and_keeps_the_word) {
    generator random(test_seed());
    for (const instruction_row& row : instruction_table) {
        for (unsigned k = 0; k < 200; ++k) {
            const std::uint32_t word = random_encoding(row, random);
            const instruction i = decode(word);
            ASSERT_EQ(i.op, row.op) << row.mnemonic << std::hex << ' ' << word;
            ASSERT_EQ(i.cls, row.cls);
            ASSERT_EQ(i.raw, word);
        }
    }
}

// The reference is a plain scan of the table, without buckets.
TEST(decode, random_words_decode_as_the_table_says_and_others_are_illegal) {
    generator random(test_seed());
    unsigned legal = 0;
    for (unsigned k = 0; k < 300'000; ++k) {
        const auto word = static_cast<std::uint32_t>(random()) | 3;
        opcode expected = opcode::illegal;
        for (const instruction_row& row : instruction_table) {
            if ((word & row.mask) != row.match) continue;
            const std::uint32_t rm = word >> 12 & 7;
            if (is_rounded(row.format) && (rm == 5 || rm == 6)) continue;
            if (row.format == instruction_format::shuffle && (word >> 25 & 7) == 7) continue;
            expected = row.op;
        }
        const instruction i = decode(word);
        ASSERT_EQ(i.op, expected) << std::hex << word;
        ASSERT_FALSE(disassemble(i, 0x1000).empty());
        legal += i.is_illegal() ? 0 : 1;
    }
    EXPECT_GT(legal, 10'000u);
}

TEST(decode, reserved_encodings_are_illegal) {
    const std::uint32_t words[] = {
        0x00000000,
        0xffffffff,             // defined illegal by the ISA
        0x00000001,             // compressed
        0x02051513,             // slli with shamt 32
        0x42b50533,             // funct7 0x21
        0x00003503,             // ld
        0x00003023,             // sd
        0x00002063,             // branch funct3 2
        0x00001067,             // jalr funct3 1
        0x00b6352f,             // amoadd.d
        0x1015a52f | 1u << 20,  // lr.w with rs2
        0x00c5d553,             // fadd.s rm 5
        0x00c5e553,             // fadd.s rm 6
        0x02c58553,             // fadd.d
        0x68c5d543,             // fmadd.s rm 5
        0x58159553,             // fsqrt.s with rs2 = 1
        0xc0259553,             // fcvt.l.s
        0xe0058553,             // fmv.x.w, absent in Zfinx
        0x00052507,             // flw, absent in Zfinx
        0x10500073,             // wfi
        0x30200073,             // mret
        0x00100173,             // ebreak with rd
        0x0000008b,             // barrier with rd
        0x8e73028b,             // shuffle space, width field 7
        0x0c03128b,             // special function 6
        0x0000700b,             // custom-0 group 7
        0x1000300b | 1u << 27,  // float atomic with unknown funct5
    };
    for (const std::uint32_t word : words) {
        EXPECT_TRUE(decode(word).is_illegal()) << std::hex << word;
    }
}

TEST(decode, classifies_calls_returns_and_register_writes) {
    EXPECT_TRUE(decode(0x010000ef).is_call());     // jal ra
    EXPECT_FALSE(decode(0x0100006f).is_call());    // jal zero
    EXPECT_TRUE(decode(0x000502e7).is_call());     // jalr t0, 0(a0)
    EXPECT_TRUE(decode(0x00008067).is_return());   // ret
    EXPECT_TRUE(decode(0x00028067).is_return());   // jr t0
    EXPECT_FALSE(decode(0x00050067).is_return());  // jr a0
    EXPECT_FALSE(decode(0x000500e7).is_return());  // jalr ra, 0(a0)
    EXPECT_EQ(decode(0x00000013).rd, sink_register);
    EXPECT_FALSE(decode(0x00000013).writes_register());
    EXPECT_TRUE(decode(0x00000093).writes_register());
    EXPECT_FALSE(decode(0x00a12423).writes_register());  // sw
}

TEST(decode, gives_the_size_and_sign_of_accesses) {
    const instruction lb = decode(0x00050503);
    const instruction lhu = decode(0x00055503);
    const instruction lw = decode(0xff852503);
    EXPECT_EQ(lb.access_bytes(), 1u);
    EXPECT_TRUE(lb.access_signed());
    EXPECT_EQ(lhu.access_bytes(), 2u);
    EXPECT_FALSE(lhu.access_signed());
    EXPECT_EQ(lw.access_bytes(), 4u);
    EXPECT_EQ(lw.imm, -8);
    EXPECT_EQ(extend_loaded(lb, 0x1234ff80), 0xffffff80u);
    EXPECT_EQ(extend_loaded(lhu, 0x1234ff80), 0xff80u);
    EXPECT_EQ(extend_loaded(lw, 0x8234ff80), 0x8234ff80u);
    EXPECT_FALSE(lw.bypasses_l1());
    const instruction ldcg = decode(0x0405250b);  // ldcg.w a0, (a0): funct7 is 2
    EXPECT_EQ(disassemble(ldcg, 0), "ldcg.w a0, (a0)");
    EXPECT_TRUE(ldcg.bypasses_l1());
    EXPECT_EQ(ldcg.access_bytes(), 4u);
    EXPECT_FALSE(ldcg.is_read_only_load());
    const instruction ldg = decode(0x2a05250b);
    EXPECT_EQ(disassemble(ldg, 0), "ldg.hu a0, (a0)");
    EXPECT_TRUE(ldg.is_read_only_load());
    EXPECT_FALSE(ldg.bypasses_l1());
    EXPECT_EQ(ldg.access_bytes(), 2u);
    EXPECT_FALSE(ldg.access_signed());
}

TEST(decode, keeps_the_compare_register_of_amocas) {
    EXPECT_EQ(decode(0x28b6252f).rs3, 10);
    EXPECT_EQ(decode(0x28b6202f).rs3, 0);
    EXPECT_EQ(decode(0x28b6202f).rd, sink_register);
}

TEST(decode, reserves_launch_transaction_and_cooperation) {
    for (const std::uint32_t word : {0x0000400bu, 0x0000500bu, 0x0000600bu}) {
        EXPECT_TRUE(decode(word).is_reserved()) << std::hex << word;
        EXPECT_FALSE(decode(word).is_arithmetic());
    }
}

TEST(disassemble, writes_llvms_spelling_without_aliases) {
    EXPECT_EQ(disassemble(decode(0xfff50513), 0), "addi a0, a0, -0x1");
    EXPECT_EQ(disassemble(decode(0xfeb50ee3), 0x30), "beq a0, a1, 0x2c");
    EXPECT_EQ(disassemble(decode(0x00c5f553), 0), "fadd.s a0, a1, a2, dyn");
    EXPECT_EQ(disassemble(decode(0xcc002573), 0), "csrrs a0, tid_x, zero");
    EXPECT_EQ(disassemble(decode(0x2cb6252f), 0), "amocas.w.aq a0, a1, (a2)");
    EXPECT_EQ(disassemble(decode(0x9a73028b), 0), "shfl.up t0, t1, t2, 32");
    EXPECT_EQ(disassemble(decode(0x00000000), 0), "illegal 0x0");
}

/// The words of an assembly line; numbers as 32-bit values, so that -4 and 0xfffffffc agree.
std::vector<std::string> tokens_of(const std::string& line) {
    std::vector<std::string> tokens;
    std::string token;
    for (const char c : line + " ") {
        if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ',') {
            token += c;
            continue;
        }
        if (token.empty()) continue;
        const std::size_t paren = token.find('(');
        const std::string head = token.substr(0, paren);
        char* end = nullptr;
        const long long number = std::strtoll(head.c_str(), &end, 0);
        const bool is_number = !head.empty() && *end == '\0';
        tokens.push_back((is_number ? std::to_string(static_cast<std::uint32_t>(number)) : head) +
                         (paren == std::string::npos ? "" : token.substr(paren)));
        token.clear();
    }
    return tokens;
}

std::string joined(const std::vector<std::string>& tokens) {
    std::string text;
    for (const std::string& token : tokens) text += token + ' ';
    return text;
}

/// Words that LLVM spells differently although both are right: fences with reserved fields, CSRs
/// that are not Heddle's (LLVM knows their names), custom-0.
bool comparable(const instruction_row& row, std::uint32_t word) {
    if (row.cls == instruction_class::fence) return (word & 0xf00fff80) == 0;
    if (row.cls == instruction_class::csr) {
        const csr_description* known = find_csr(word >> 20);
        return known != nullptr && word >> 20 < 0xcc0;
    }
    return (word & 0x7f) != 0x0b;
}

TEST(disassemble, agrees_with_llvm_on_standard_instructions) {
    if (std::system("llvm-mc-19 --version > /dev/null 2>&1") != 0) {
        GTEST_SKIP() << "llvm-mc-19 is not installed (Debian: llvm-19)";
    }
    generator random(test_seed());
    const std::string input = build_path("tests/isa/words.txt");
    std::vector<instruction> instructions;
    {
        std::ofstream file(input);
        for (const instruction_row& row : instruction_table) {
            for (unsigned k = 0; k < 400; ++k) {
                const std::uint32_t word = random_encoding(row, random);
                if (!comparable(row, word)) continue;
                instructions.push_back(decode(word));
                for (unsigned byte = 0; byte < 4; ++byte) file << (word >> (8 * byte) & 255) << ' ';
                file << '\n';
            }
        }
    }
    const std::string output = input + ".out";
    const std::string command =
        "llvm-mc-19 --disassemble --triple=riscv32 "
        "--mattr=+m,+a,+zicsr,+zifencei,+zfinx,+zicond,+experimental-zacas -M no-aliases '" +
        input + "' > '" + output + "' 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::ifstream file(output);
    std::string line;
    std::size_t next = 0;
    while (std::getline(file, line)) {
        std::vector<std::string> theirs = tokens_of(line);
        if (theirs.empty() || theirs[0] == ".text") continue;
        ASSERT_LT(next, instructions.size()) << line;
        const instruction& i = instructions[next++];
        ASSERT_EQ(joined(tokens_of(disassemble(i, 0))), joined(theirs)) << std::hex << i.raw;
    }
    EXPECT_EQ(next, instructions.size());
    EXPECT_GT(next, 10'000u);
}

TEST(reference, committed_page_equals_the_generated_one) {
    const std::string path = source_path("docs/isa.md");
    std::ifstream file(path);
    std::stringstream committed;
    committed << file.rdbuf();
    EXPECT_TRUE(committed.str() == reference_page())
        << path << " is out of date: run heddle_isa_reference docs/isa.md";
}

}  // namespace
}  // namespace heddle::isa::test
