// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Runs the assembly programs of tests/isa/programs, one lane and full warps.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "models/isa/instruction_table.h"
#include "tb/kit/paths.h"
#include "tests/isa/machine.h"

namespace heddle::isa::test {
namespace {

constexpr const char* program_names[] = {"atomic",         "conditional",      "control_flow",
                                         "fence",          "float_arithmetic", "float_convert",
                                         "memory",         "integer_register", "integer_immediate",
                                         "multiply_divide"};

flat_program load_program(const std::string& name) {
    return load_flat(build_path("tests/isa/programs/") + name + ".elf");
}

template <unsigned Lanes>
void run_program(const std::string& name, lane_mask lanes) {
    const flat_program program = load_program(name);
    ASSERT_EQ(program.error, "");
    machine<Lanes> warp(program, lanes);
    ASSERT_TRUE(warp.run(100'000)) << name << ": " << warp.error();
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        EXPECT_EQ(warp.exit_code(lane), 0u)
            << "tests/isa/programs/" << name << ".S:" << warp.exit_code(lane) << ", lane " << lane;
    }
}

class programs : public testing::TestWithParam<const char*> {};

TEST_P(programs, pass_in_one_lane) {
    run_program<32>(GetParam(), 1);
}
TEST_P(programs, pass_in_a_full_warp_of_32) {
    run_program<32>(GetParam(), all_lanes<32>);
}
TEST_P(programs, pass_in_some_lanes_of_64) {
    run_program<64>(GetParam(), 0x8001000100000003);
}

INSTANTIATE_TEST_SUITE_P(isa, programs, testing::ValuesIn(program_names),
                         [](const auto& info) { return std::string(info.param); });

TEST(programs, execute_every_standard_instruction) {
    std::array<std::uint64_t, opcode_count> executed{};
    for (const char* name : program_names) {
        machine<32> warp(load_program(name), 1);
        warp.run(100'000);
        for (unsigned k = 0; k < opcode_count; ++k) executed[k] += warp.executed()[k];
    }
    for (const instruction_row& row : instruction_table) {
        // ebreak has nobody to break to; custom-0 has tests of its own.
        if ((row.match & 0x7f) == 0x0b || row.op == opcode::ebreak) continue;
        EXPECT_GT(executed[static_cast<unsigned>(row.op)], 0u) << row.mnemonic;
    }
}

// The harness itself must notice a wrong result, a trap and a program without end.
TEST(programs, that_are_wrong_fail) {
    flat_program program;
    program.base = program.entry = 0x1000;
    const auto set = [&program](std::initializer_list<std::uint32_t> words) {
        program.bytes.assign(4 * words.size(), 0);
        std::memcpy(program.bytes.data(), words.begin(), program.bytes.size());
    };
    set({0x00700513, 0x05d00893, 0x00000073});  // li a0, 7; li a7, 93; ecall
    machine<32> wrong(program, 1);
    EXPECT_TRUE(wrong.run(100));
    EXPECT_EQ(wrong.exit_code(0), 7u);
    set({0x00000000});
    machine<32> illegal(program, 1);
    EXPECT_FALSE(illegal.run(100));
    EXPECT_EQ(illegal.error(), "cannot run: illegal 0x0 at pc 0x1000");
    set({0x0000006f});  // j .
    machine<32> endless(program, 1);
    EXPECT_FALSE(endless.run(100));
    set({0x00002503});  // lw a0, 0(zero)
    machine<32> outside(program, 1);
    EXPECT_FALSE(outside.run(100));
    set({0x0022d073, 0x00c5f553});  // csrwi frm, 5; fadd.s a0, a1, a2, dyn
    machine<32> rounding_mode(program, 1);
    EXPECT_FALSE(rounding_mode.run(100));
    EXPECT_EQ(rounding_mode.error(), "invalid frm at pc 0x1004");
}

}  // namespace
}  // namespace heddle::isa::test
