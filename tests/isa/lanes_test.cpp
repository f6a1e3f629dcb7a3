// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Warps of all sizes under random masks, against one lane at a time in plain C++.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/atomic.h"
#include "models/isa/execute.h"
#include "tests/isa/random_instructions.h"
#include "tests/isa/scalar_reference.h"

namespace heddle::isa::test {
namespace {

template <unsigned Lanes>
struct warp_state {
    warp_registers<Lanes> registers;
    std::uint8_t frm[Lanes];

    explicit warp_state(generator& random) {
        for (auto& row : registers.x) {
            for (std::uint32_t& value : row) value = interesting_value(random);
        }
        std::memset(registers.x[0], 0, sizeof registers.x[0]);
        const bool uniform = below(random, 2) == 0;
        for (std::uint8_t& mode : frm) {
            mode = uniform ? 0 : static_cast<std::uint8_t>(below(random, 5));
        }
    }
};

lane_mask random_mask(generator& random) {
    switch (below(random, 4)) {
        case 0:
            return ~lane_mask{0};
        case 1:
            return lane_mask{1} << below(random, 64);
        case 2:
            return 0;
        default:
            return random();
    }
}

bool has_reference(const instruction_row& row) {
    const bool links =
        row.cls == instruction_class::jump || row.cls == instruction_class::jump_register;
    return links ||
           (row.cls >= instruction_class::integer && row.cls <= instruction_class::floating_divide);
}

template <unsigned Lanes>
void check_row(const instruction_row& row, generator& random) {
    const auto before = std::make_unique<warp_state<Lanes>>(random);
    const auto after = std::make_unique<warp_state<Lanes>>(*before);
    const instruction i = decode(random_encoding(row, random));
    const lane_mask active = random_mask(random) & all_lanes<Lanes>;
    SCOPED_TRACE(disassemble(i, pc) + " with " + std::to_string(Lanes) + " lanes");
    execute<Lanes>(i, pc, after->registers, active, before->frm);
    for (unsigned index = 0; index < register_count; ++index) {
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            const auto& x = before->registers.x;
            std::uint32_t expected = x[index][lane];
            if (index == i.rd && (active >> lane & 1) != 0) {
                const unsigned rm = i.rm == rounding::dynamic ? before->frm[lane] : i.rm;
                expected = reference(i, {x[i.rs1][lane], x[i.rs2][lane], x[i.rs3][lane],
                                         static_cast<std::uint32_t>(i.imm), rm});
            }
            ASSERT_EQ(after->registers.x[index][lane], expected)
                << register_name(index) << " lane " << lane << std::hex << " rs1 " << x[i.rs1][lane]
                << " rs2 " << x[i.rs2][lane];
        }
    }
}

TEST(lanes, every_instruction_equals_its_scalar_reference_under_random_masks) {
    generator random(test_seed());
    for (const instruction_row& row : instruction_table) {
        if (!has_reference(row)) continue;
        for (unsigned k = 0; k < 150; ++k) {
            check_row<8>(row, random);
            check_row<16>(row, random);
            check_row<32>(row, random);
            check_row<64>(row, random);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

template <unsigned Lanes>
void check_branches(generator& random) {
    for (const instruction_row& row : instruction_table) {
        if (row.cls != instruction_class::branch) continue;
        const auto state = std::make_unique<warp_state<Lanes>>(random);
        const instruction i = decode(random_encoding(row, random));
        const lane_mask active = random_mask(random) & all_lanes<Lanes>;
        lane_mask expected = 0;
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            const std::uint32_t a = state->registers.x[i.rs1][lane];
            const std::uint32_t b =
                below(random, 4) == 0 ? a : state->registers.x[i.rs2][lane];  // equal at times
            if (i.rs2 != 0 && i.rs1 != i.rs2) state->registers.x[i.rs2][lane] = b;
            const std::uint32_t y = state->registers.x[i.rs2][lane];
            const std::uint32_t x = state->registers.x[i.rs1][lane];
            const auto sx = static_cast<std::int32_t>(x);
            const auto sy = static_cast<std::int32_t>(y);
            const bool taken = i.op == opcode::beq    ? x == y
                               : i.op == opcode::bne  ? x != y
                               : i.op == opcode::blt  ? sx < sy
                               : i.op == opcode::bge  ? sx >= sy
                               : i.op == opcode::bltu ? x < y
                                                      : x >= y;
            if (taken) expected |= lane_mask{1} << lane;
        }
        ASSERT_EQ(branch_taken<Lanes>(i, state->registers, active), expected & active)
            << disassemble(i, pc);
    }
}

TEST(lanes, branches_are_taken_where_the_condition_holds) {
    generator random(test_seed());
    for (unsigned k = 0; k < 300; ++k) {
        check_branches<8>(random);
        check_branches<16>(random);
        check_branches<32>(random);
        check_branches<64>(random);
    }
    warp_registers<32> registers{};
    EXPECT_EQ(branch_taken<32>(decode(0x00000013), registers, ~lane_mask{0}), 0u) << "no branch";
}

TEST(lanes, jump_targets_clear_bit_0_and_addresses_keep_it) {
    warp_registers<32> registers{};
    for (unsigned lane = 0; lane < 32; ++lane) registers.x[10][lane] = 0x1000 + lane;
    std::uint32_t values[32];
    jump_targets<32>(decode(0xffc500e7), registers, values);  // jalr ra, -4(a0)
    EXPECT_EQ(values[3], (0x1003u - 4) & ~1u);
    effective_addresses<32>(decode(0xff852503), registers, values);  // lw a0, -8(a0)
    EXPECT_EQ(values[3], 0x1003u - 8);
}

TEST(lanes, invalid_dynamic_rounding_modes_are_reported_per_lane) {
    std::uint8_t frm[32] = {};
    frm[3] = 5;
    frm[7] = 7;
    frm[9] = 4;
    const instruction dynamic = decode(0x00c5f553);
    EXPECT_EQ(illegal_rounding<32>(dynamic, all_lanes<32>, frm), 1u << 3 | 1u << 7);
    EXPECT_EQ(illegal_rounding<32>(dynamic, 1u << 7, frm), 1u << 7);
    EXPECT_EQ(illegal_rounding<32>(dynamic, all_lanes<32>, nullptr), 0u);
    EXPECT_EQ(illegal_rounding<32>(decode(0x00c59553), all_lanes<32>, frm), 0u) << "static RTZ";
}

/// rd of `word` (operands x5 = x6 op x7) with x6 = lane + 100 and x7 = operand.
template <unsigned Lanes>
std::vector<std::uint32_t> exchanged(std::uint32_t word, std::uint32_t operand, lane_mask active) {
    warp_registers<Lanes> registers{};
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        registers.x[6][lane] = lane + 100;
        registers.x[7][lane] = operand;
    }
    execute<Lanes>(decode(word), pc, registers, active, nullptr);
    return {registers.x[5], registers.x[5] + Lanes};
}

constexpr std::uint32_t shuffle_word(unsigned kind, unsigned width_log2) {
    return (0x40 | kind << 3 | width_log2) << 25 | 7 << 20 | 6 << 15 | 5 << 7 | 0x0b;
}

TEST(exchange, shuffles_read_the_lane_that_cuda_names) {
    const auto all = all_lanes<32>;
    EXPECT_EQ(exchanged<32>(shuffle_word(0, 5), 37, all)[9], 105u);    // idx, modulo the width
    EXPECT_EQ(exchanged<32>(shuffle_word(0, 3), 2, all)[17], 118u);    // in segments of 8
    EXPECT_EQ(exchanged<32>(shuffle_word(1, 5), 4, all)[9], 105u);     // up
    EXPECT_EQ(exchanged<32>(shuffle_word(1, 5), 4, all)[3], 103u);     // below the segment
    EXPECT_EQ(exchanged<32>(shuffle_word(2, 5), 4, all)[9], 113u);     // down
    EXPECT_EQ(exchanged<32>(shuffle_word(2, 5), 4, all)[29], 129u);    // above the segment
    EXPECT_EQ(exchanged<32>(shuffle_word(2, 5), ~0u, all)[29], 129u);  // no wrap-around
    EXPECT_EQ(exchanged<32>(shuffle_word(3, 5), 1, all)[8], 109u);     // xor
    EXPECT_EQ(exchanged<32>(shuffle_word(3, 2), 4, all)[1], 101u);     // a higher segment
    EXPECT_EQ(exchanged<32>(shuffle_word(3, 2), 4, all)[5], 101u);     // a lower segment
    EXPECT_EQ(exchanged<32>(shuffle_word(0, 6), 40, all)[0], 108u);    // width 64 means the warp
    EXPECT_EQ(exchanged<64>(shuffle_word(0, 6), 40, all_lanes<64>)[0], 140u);
    EXPECT_EQ(exchanged<16>(shuffle_word(0, 5), 20, all_lanes<16>)[0], 104u);
    EXPECT_EQ(exchanged<8>(shuffle_word(3, 5), 9, all_lanes<8>)[2], 103u);
    EXPECT_EQ(exchanged<8>(shuffle_word(2, 5), 4, all_lanes<8>)[5], 105u);
    EXPECT_EQ(exchanged<32>(shuffle_word(0, 5), 3, 2)[0], 0u) << "inactive lanes keep theirs";
}

TEST(exchange, shuffle_into_its_own_operand_reads_before_it_writes) {
    warp_registers<32> registers{};
    for (unsigned lane = 0; lane < 32; ++lane) registers.x[5][lane] = lane;
    for (unsigned lane = 0; lane < 32; ++lane) registers.x[7][lane] = 1;
    const std::uint32_t word = (0x40 | 1 << 3 | 5) << 25 | 7 << 20 | 5 << 15 | 5 << 7 | 0x0b;
    execute<32>(decode(word), pc, registers, all_lanes<32>, nullptr);
    EXPECT_EQ(registers.x[5][31], 30u);
    EXPECT_EQ(registers.x[5][0], 0u);
}

TEST(exchange, ballot_of_a_narrow_warp) {
    constexpr std::uint32_t ballot = 0x1403028b;
    warp_registers<8> registers{};
    registers.x[6][2] = 1;
    registers.x[6][5] = 1;
    execute<8>(decode(ballot), pc, registers, all_lanes<8> & ~lane_mask{1 << 2}, nullptr);
    EXPECT_EQ(registers.x[5][0], 1u << 5);
    EXPECT_EQ(registers.x[5][2], 0u) << "inactive lanes keep theirs";
}

TEST(exchange, votes_count_active_lanes_only) {
    constexpr std::uint32_t any = 0x1003028b;
    constexpr std::uint32_t all = 0x1203028b;
    constexpr std::uint32_t ballot = 0x1403028b;
    constexpr std::uint32_t ballot_high = 0x1603028b;
    warp_registers<64> registers{};
    const auto result = [&registers](std::uint32_t word, lane_mask active) {
        execute<64>(decode(word), pc, registers, active, nullptr);
        return registers.x[5][__builtin_ctzll(active)];
    };
    registers.x[6][3] = 0x80;
    registers.x[6][40] = 1;
    EXPECT_EQ(result(any, ~lane_mask{0}), 1u);
    EXPECT_EQ(result(any, 7), 0u);
    EXPECT_EQ(result(all, ~lane_mask{0}), 0u);
    EXPECT_EQ(result(all, lane_mask{1} << 40 | 8), 1u);
    EXPECT_EQ(result(ballot, ~lane_mask{0}), 8u);
    EXPECT_EQ(result(ballot_high, ~lane_mask{0}), 1u << 8);
    EXPECT_EQ(result(ballot_high, 8), 0u);
}

TEST(atomics, leave_the_specified_value_in_memory) {
    const std::uint32_t minus_1 = 0xffffffff;
    EXPECT_EQ(atomic_result(opcode::amoswap_w, 1, 2, 0), 2u);
    EXPECT_EQ(atomic_result(opcode::amoadd_w, minus_1, 2, 0), 1u);
    EXPECT_EQ(atomic_result(opcode::amoxor_w, 6, 3, 0), 5u);
    EXPECT_EQ(atomic_result(opcode::amoand_w, 6, 3, 0), 2u);
    EXPECT_EQ(atomic_result(opcode::amoor_w, 6, 3, 0), 7u);
    EXPECT_EQ(atomic_result(opcode::amomin_w, minus_1, 3, 0), minus_1);
    EXPECT_EQ(atomic_result(opcode::amomax_w, minus_1, 3, 0), 3u);
    EXPECT_EQ(atomic_result(opcode::amominu_w, minus_1, 3, 0), 3u);
    EXPECT_EQ(atomic_result(opcode::amomaxu_w, minus_1, 3, 0), minus_1);
    EXPECT_EQ(atomic_result(opcode::amocas_w, 5, 9, 5), 9u);
    EXPECT_EQ(atomic_result(opcode::amocas_w, 5, 9, 6), 5u);
    EXPECT_EQ(atomic_result(opcode::amofadd_w, 0x3f800000, 0x40000000, 0), 0x40400000u);
    EXPECT_EQ(atomic_result(opcode::amofadd_w, 0x7f800001, 0, 0), canonical_nan);
    EXPECT_EQ(atomic_result(opcode::amofmin_w, 0x00000000, 0x80000000, 0), 0x80000000u);
    EXPECT_EQ(atomic_result(opcode::amofmax_w, 0x7fc00000, 0xbf800000, 0), 0xbf800000u);
    EXPECT_EQ(atomic_result(opcode::lr_w, 5, 9, 0), 5u);
    EXPECT_EQ(atomic_result(opcode::add, 5, 9, 0), 5u);
}

TEST(host, supports_this_build) {
    EXPECT_NO_THROW(require_host_support());
}

}  // namespace
}  // namespace heddle::isa::test
