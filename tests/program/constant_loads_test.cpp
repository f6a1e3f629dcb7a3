// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which loads read constants: by hand-made code, and in programs as the compiler makes them.
#include "models/program/constant_loads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/isa/instruction_table.h"
#include "models/program/kernel_table.h"
#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

using isa::opcode;
using testing::ElementsAre;

constexpr std::uint32_t base = 0x10000;
constexpr unsigned a0 = 10, a1 = 11, a2 = 12, s0 = 8, sp = 2;

std::uint32_t match(opcode op) {
    return isa::row_of(op).match;
}
std::uint32_t i_type(opcode op, unsigned rd, unsigned rs1, std::int32_t imm = 0) {
    return match(op) | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(imm) << 20;
}
std::uint32_t r_type(opcode op, unsigned rd, unsigned rs1, unsigned rs2) {
    return match(op) | rd << 7 | rs1 << 15 | rs2 << 20;
}
std::uint32_t load(unsigned rs1, unsigned rd = a2) {
    return i_type(opcode::lw, rd, rs1);
}
std::uint32_t lui(unsigned rd) {
    return match(opcode::lui) | rd << 7 | 0x11u << 12;
}
std::uint32_t branch(std::int32_t offset) {
    const auto o = static_cast<std::uint32_t>(offset);
    return match(opcode::beq) | a1 << 15 | a2 << 20 | ((o >> 11) & 1) << 7 | ((o >> 1) & 15) << 8 |
           ((o >> 5) & 63) << 25 | ((o >> 12) & 1) << 31;
}
const std::uint32_t exit_thread = match(opcode::exit);

/// The loads among the words, in their order: which read constants. The words are one function that
/// threads start in. `constant`, `read_only`: positions of words that name such data.
std::vector<bool> marks(const std::vector<std::uint32_t>& words,
                        const std::vector<std::uint32_t>& constant = {},
                        const std::vector<std::uint32_t>& read_only = {}, bool entry = true) {
    code_text text;
    text.base = base;
    for (const std::uint32_t word : words) text.instructions.push_back(isa::decode(word));
    const auto graphs = build_graphs(text, {{"f", base, text.end()}}, {});
    address_users users;
    for (const std::uint32_t at : constant) users.constant.insert(base + 4 * at);
    for (const std::uint32_t at : read_only) users.read_only.insert(base + 4 * at);
    const std::set<std::uint32_t> entries{entry ? base : 0};
    const std::vector<bool> found = find_constant_loads(text, graphs, entries, users);
    std::vector<bool> of_loads;
    for (std::size_t at = 0; at < text.instructions.size(); ++at) {
        const bool is_load = text.instructions[at].cls == isa::instruction_class::load;
        if (is_load) of_loads.push_back(found[at]);
        EXPECT_TRUE(is_load || !found[at]) << at;
    }
    return of_loads;
}

TEST(constant_loads, parameters_are_what_a0_points_to_where_a_thread_starts) {
    const std::vector<std::uint32_t> words{load(a0), load(a1), load(a0, a0), load(a0), exit_thread};
    EXPECT_THAT(marks(words), ElementsAre(true, false, true, false));
    EXPECT_THAT(marks(words, {}, {}, false), ElementsAre(false, false, false, false));
}

TEST(constant_loads, offsets_and_indices_lead_to_constants_too) {
    EXPECT_THAT(marks({i_type(opcode::addi, a1, a0, 64), load(a1), r_type(opcode::add, a2, a1, s0),
                       load(a2), r_type(opcode::add, a2, s0, a1), load(a2, s0),
                       r_type(opcode::sub, a2, a1, s0), load(a2), exit_thread}),
                ElementsAre(true, true, true, true));
    // The difference of two addresses, a sum of two, and other uses are no address.
    EXPECT_THAT(marks({r_type(opcode::sub, a1, a0, a0), load(a1), r_type(opcode::add, a1, a0, a0),
                       load(a1), r_type(opcode::sub, a1, s0, a0), load(a1),
                       r_type(opcode::xor_, a1, a0, s0), load(a1), exit_thread}),
                ElementsAre(false, false, false, false));
}

TEST(constant_loads, an_instruction_that_names_constants_begins_an_address) {
    const std::vector<std::uint32_t> words{lui(a1),
                                           i_type(opcode::addi, a1, a1, 16),
                                           r_type(opcode::add, s0, a1, a2),
                                           load(s0),
                                           load(a1),
                                           exit_thread};
    EXPECT_THAT(marks(words), ElementsAre(false, false)) << "a number is no address";
    EXPECT_THAT(marks(words, {0, 1}), ElementsAre(true, true));
    EXPECT_THAT(marks(words, {}, {0, 1}), ElementsAre(false, true))
        << "other read-only data with an index is global memory";
    // The low part of the address is in the load; its register has the index, too.
    const std::vector<std::uint32_t> folded{lui(a1), r_type(opcode::add, a1, a2, a1), load(a1),
                                            exit_thread};
    EXPECT_THAT(marks(folded, {2}), ElementsAre(true));
    EXPECT_THAT(marks(folded, {0, 2}), ElementsAre(true));
    EXPECT_THAT(marks(folded, {}, {0, 2}), ElementsAre(false));
    EXPECT_THAT(marks({lui(a1), load(a1), exit_thread}, {}, {0, 1}), ElementsAre(true));
}

TEST(constant_loads, all_ways_to_a_load_must_agree) {
    // One way replaces the address by another one, of constants or not.
    const auto with = [](std::uint32_t replacement) {
        return std::vector<std::uint32_t>{i_type(opcode::addi, s0, a0), branch(8), replacement,
                                          load(s0), exit_thread};
    };
    EXPECT_THAT(marks(with(i_type(opcode::addi, s0, a0, 32))), ElementsAre(true));
    EXPECT_THAT(marks(with(lui(s0)), {2}), ElementsAre(true));
    EXPECT_THAT(marks(with(lui(s0))), ElementsAre(false));
    // A loop: the first time it is the buffer, then what memory gave.
    EXPECT_THAT(marks({load(a0, s0), load(s0, s0), branch(-4), exit_thread}),
                ElementsAre(true, false));
    EXPECT_THAT(marks({i_type(opcode::addi, s0, a0), load(s0, s0), branch(-4), exit_thread}),
                ElementsAre(false));
    EXPECT_THAT(marks({load(a0), i_type(opcode::addi, a0, a0, 4), branch(-8), exit_thread}),
                ElementsAre(true));
}

TEST(constant_loads, selections_without_a_branch_are_followed) {
    const auto select = [](unsigned other) {
        return std::vector<std::uint32_t>{i_type(opcode::addi, s0, a0, 16),
                                          r_type(opcode::czero_eqz, a1, s0, a2),
                                          r_type(opcode::czero_nez, a2, other, a2),
                                          r_type(opcode::or_, a1, a1, a2),
                                          load(a1),
                                          exit_thread};
    };
    EXPECT_THAT(marks(select(a0)), ElementsAre(true));
    EXPECT_THAT(marks(select(5)), ElementsAre(false));
}

TEST(constant_loads, calls_and_memory_hand_on_no_address) {
    const std::uint32_t call = match(opcode::jalr) | 1u << 7 | 5u << 15;
    EXPECT_THAT(marks({i_type(opcode::addi, s0, a0), i_type(opcode::addi, a1, a0), call, load(s0),
                       load(a1), load(a0), exit_thread}),
                ElementsAre(true, false, false));
    EXPECT_THAT(
        marks({match(opcode::sw) | a0 << 20 | sp << 15, load(sp, a0), load(a0), exit_thread}),
        ElementsAre(false, false));
}

TEST(constant_loads, loads_that_name_their_cache_keep_it) {
    EXPECT_THAT(marks({r_type(opcode::ldcg_w, a2, a0, 0), r_type(opcode::ldg_w, a2, a0, 0),
                       i_type(opcode::lbu, a2, a0), exit_thread}),
                ElementsAre(false, false, true));
}

/// "c" for each load of the kernel's code that reads constants, "-" for each other one.
std::string loads_of(const image& program, const char* kernel_name, const std::string& function) {
    const kernel& k = program.get_kernel(kernel_name);
    const symbol* const range = program.find_symbol(function);
    std::string all;
    for (std::uint32_t at = 0; at < range->size; at += 4) {
        const std::size_t index = k.code.index(range->address + at);
        if (k.code.instructions[index].cls != isa::instruction_class::load) continue;
        all += (k.code.flags[index] & constant_load) != 0 ? 'c' : '-';
    }
    return all;
}
std::string loads_of(const image& program, const char* kernel_name) {
    return loads_of(program, kernel_name, entry_symbol(kernel_name));
}

TEST(constant_loads, of_compiled_kernels) {
    const image program = load_text(R"(
__constant__ unsigned weights[64] = {1, 2, 3};
__constant__ static unsigned own[64];
__constant__ unsigned* pointer;
extern "C" const unsigned table[64] = {7, 8, 9};
__noinline__ unsigned through(const unsigned* p, unsigned i) { return p[i]; }

__global__ void indexed(unsigned* out) { out[threadIdx.x] = weights[threadIdx.x]; }
__global__ void hidden(unsigned* out) { out[threadIdx.x] = own[threadIdx.x + 1]; }
__global__ void by_memory(unsigned* out) { out[threadIdx.x] = *pointer; }
__global__ void by_argument(unsigned* out) { out[threadIdx.x] = through(weights, threadIdx.x); }
__global__ void of_table(unsigned* out) { out[threadIdx.x] = table[threadIdx.x]; }
__global__ void of_argument(const unsigned* in, unsigned* out) { *out = in[threadIdx.x]; }
struct several { unsigned a, b, c, d; };
__global__ void of_structure(several all, unsigned* out) { *out = all.a + all.d; }
__global__ void literal(float* out) { out[threadIdx.x] = out[threadIdx.x] * 1.2345678f; }
)");
    EXPECT_EQ(loads_of(program, "indexed"), "cc");
    EXPECT_EQ(loads_of(program, "hidden"), "cc");
    EXPECT_EQ(loads_of(program, "by_memory"), "cc-") << "out, pointer, what it points to";
    EXPECT_EQ(loads_of(program, "by_argument"), "c") << "only the parameter";
    EXPECT_EQ(loads_of(program, "of_table"), "c-");
    EXPECT_EQ(loads_of(program, "of_argument"), "cc-");
    EXPECT_EQ(loads_of(program, "of_structure"), "ccc");
    const std::string of_literal = loads_of(program, "literal");
    EXPECT_EQ(std::count(of_literal.begin(), of_literal.end(), '-'), 1) << of_literal;
}

TEST(constant_loads, of_opencl_follow_the_address_space) {
    const image program = image::load(compile_text(R"(
__constant float weights[4] = {1, 2, 3, 4};
__kernel void k(__global const float* in, __global float* out) {
    size_t i = get_global_id(0);
    out[i] = in[i] * weights[i & 3];
}
)",
                                                   "kernel.cl"));
    EXPECT_EQ(loads_of(program, "k", "k"), "-c");
    EXPECT_EQ(loads_of(program, "k").substr(0, 2), "cc") << "both parameters";
}

}  // namespace
}  // namespace heddle::program::test
