// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/undefined_registers.h"

#include <gtest/gtest.h>

namespace heddle::iss {
namespace {

using isa::lane_mask;
using isa::opcode;

constexpr unsigned lanes = 32;
constexpr lane_mask all = 0xffffffff;
constexpr unsigned a = 10;  ///< undefined in lanes 0 to 3
constexpr unsigned b = 11;  ///< defined
constexpr unsigned rd = 12;

class undefined : public testing::Test {
protected:
    undefined() { registers_of_warp.write(a, 0xf, 0xf, 0x10040); }

    /// The undefined lanes of an instruction's result.
    lane_mask result(opcode op, isa::instruction_class cls, unsigned rs1, unsigned rs2 = 0,
                     lane_mask active = all) {
        isa::instruction i;
        i.op = op;
        i.cls = cls;
        i.rd = rd;
        i.rs1 = static_cast<std::uint8_t>(rs1);
        i.rs2 = static_cast<std::uint8_t>(rs2);
        i.flags = isa::flag::writes_rd;
        i.imm = 5;  // of shuffles: segments of 32 lanes
        registers_of_warp.execute(i, registers, active);
        return registers_of_warp.of(rd);
    }
    lane_mask integer(opcode op, unsigned rs1, unsigned rs2, lane_mask active = all) {
        return result(op, isa::instruction_class::integer, rs1, rs2, active);
    }
    lane_mask exchange(opcode op, unsigned rs1, unsigned rs2 = 0, lane_mask active = all) {
        return result(op, isa::instruction_class::exchange, rs1, rs2, active);
    }

    undefined_registers<lanes> registers_of_warp;
    isa::warp_registers<lanes> registers{};
};

TEST_F(undefined, reaches_results_and_ends_with_a_new_value) {
    EXPECT_EQ(integer(opcode::add, a, b), 0xfU);
    EXPECT_EQ(registers_of_warp.loaded_at(rd), 0x10040U);
    EXPECT_EQ(integer(opcode::add, b, b, 0x6), 0x9U) << "lanes that are off keep theirs";
    EXPECT_EQ(integer(opcode::add, b, a, 0x5), 0xdU);
    EXPECT_EQ(integer(opcode::add, b, b), 0U);
    EXPECT_EQ(registers_of_warp.of(a), 0xfU);
    registers_of_warp.start();
    EXPECT_EQ(integer(opcode::add, a, b), 0U);
    EXPECT_FALSE(registers_of_warp.any());
}

TEST_F(undefined, does_not_matter_where_the_other_operand_decides) {
    for (unsigned lane = 0; lane < lanes; lane += 2) registers.x[b][lane] = ~0U;
    EXPECT_EQ(integer(opcode::and_, a, b), 0x5U);
    EXPECT_EQ(integer(opcode::and_, b, a), 0x5U);
    EXPECT_EQ(integer(opcode::or_, a, b), 0xaU);
    EXPECT_EQ(integer(opcode::czero_eqz, a, b), 0x5U);
    EXPECT_EQ(integer(opcode::czero_nez, a, b), 0xaU);
    EXPECT_EQ(integer(opcode::czero_nez, b, a), 0xfU) << "the condition itself";
    EXPECT_EQ(integer(opcode::xor_, a, a), 0U);
    EXPECT_EQ(integer(opcode::sub, a, a), 0U);
    EXPECT_EQ(integer(opcode::add, a, a), 0xfU);
    EXPECT_EQ(integer(opcode::and_, a, a), 0xfU) << "an undefined operand decides nothing";
    EXPECT_EQ(integer(opcode::or_, a, a), 0xfU);
}

TEST_F(undefined, moves_with_a_shuffle) {
    for (unsigned lane = 0; lane < lanes; ++lane) registers.x[b][lane] = 2;
    EXPECT_EQ(exchange(opcode::shfl_down, a, b), 0x3U);
    EXPECT_EQ(exchange(opcode::shfl_up, a, b), 0x3fU);
    EXPECT_EQ(exchange(opcode::shfl_idx, a, b), all);
    EXPECT_EQ(exchange(opcode::shfl_idx, b, a), 0xfU) << "which lane, nobody knows";
    EXPECT_EQ(exchange(opcode::shfl_idx, b, b), 0U);
}

TEST_F(undefined, spoils_a_vote_of_its_lanes) {
    EXPECT_EQ(exchange(opcode::ballot, a), all);
    EXPECT_EQ(exchange(opcode::vote_any, b), 0U);
    EXPECT_EQ(exchange(opcode::vote_all, a, 0, 0xf0), 0U);
}

}  // namespace
}  // namespace heddle::iss
