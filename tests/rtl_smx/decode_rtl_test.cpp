// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The decoder of the RTL SMX against isa::decode, for every kind of word.
#include <gmock/gmock.h>
#include <verilated.h>

#include "Vsmx_decode.h"
#include "models/base/random.h"
#include "models/isa/csr.h"
#include "models/isa/instruction.h"
#include "models/isa/instruction_table.h"
#include "tests/rtl_smx/settings.h"

namespace heddle::rtl_smx {
namespace {

using isa::instruction_class;

/// What smx_is.sv calls the unit of an instruction.
unsigned unit_of(const isa::instruction& i) {
    switch (i.cls) {
        case instruction_class::illegal:
            return 0;
        case instruction_class::integer:
        case instruction_class::multiply:
            return 1;
        case instruction_class::divide:
        case instruction_class::floating:
        case instruction_class::floating_divide:
        case instruction_class::special:
            return 2;
        case instruction_class::load:
            return 3;
        case instruction_class::store:
            return 4;
        case instruction_class::atomic:
            return 5;
        case instruction_class::branch:
            return 6;
        case instruction_class::jump:
            return 7;
        case instruction_class::jump_register:
            return 8;
        case instruction_class::fence:
            return 9;
        case instruction_class::csr:
            return isa::csr_legal(i) ? 10 : 0;
        case instruction_class::simt_control:
            return i.op == isa::opcode::barrier ? 11 : i.op == isa::opcode::warp_join ? 12 : 13;
        case instruction_class::exchange:
            return 14;
        default:
            return 15;
    }
}

class decoder {
public:
    void compare(std::uint32_t word) {
        const isa::instruction i = isa::decode(word);
        top_.word = word;
        top_.eval();
        const unsigned unit = unit_of(i);
        ASSERT_EQ(top_.unit, unit) << std::hex << word << " " << isa::mnemonic(i.op);
        if (unit == 0 || unit == 15) return;
        ASSERT_EQ(top_.rd, i.writes_register() ? i.rd : 0) << std::hex << word;
        const bool csr_immediate = i.op >= isa::opcode::csrrwi && i.op <= isa::opcode::csrrci;
        ASSERT_EQ(top_.rs1, csr_immediate ? 0 : i.rs1) << std::hex << word;
        ASSERT_EQ(top_.rs2, i.rs2) << std::hex << word;
        ASSERT_EQ(top_.rs3, i.rs3) << std::hex << word;
        ASSERT_EQ(top_.dynamic_mode, i.uses_frm()) << std::hex << word;
        ASSERT_EQ(top_.is_call, i.is_call()) << std::hex << word;
        ASSERT_EQ(top_.is_return, i.is_return()) << std::hex << word;
        if (i.is_memory()) {
            ASSERT_EQ(1U << top_.size, i.access_bytes()) << std::hex << word;
            if (i.cls == instruction_class::load && i.access_bytes() < 4) {
                ASSERT_EQ(top_.sign_extends, i.access_signed()) << std::hex << word;
            }
        }
        const bool immediate = i.is_memory() || i.is_control_flow() || top_.has_immediate != 0;
        if (immediate) {
            const auto given = static_cast<std::int32_t>(top_.immediate);
            const bool shift =
                i.op == isa::opcode::slli || i.op == isa::opcode::srli || i.op == isa::opcode::srai;
            ASSERT_EQ(shift ? given & 31 : given, i.imm) << std::hex << word;
        }
    }

private:
    VerilatedContext context_;
    Vsmx_decode top_{&context_, "decode"};
};

TEST(rtl_decode, is_that_of_the_model) {
    decoder d;
    random_stream random(setting("HEDDLE_SEED", 1), "words");
    for (unsigned n = 0; n < setting("HEDDLE_CASES", 1'000'000); ++n) {
        const auto draw = static_cast<std::uint32_t>(random.next());
        // Each instruction with all its fields, with one bit of its code wrong, and any word.
        const auto& row = isa::instruction_table[random.below(std::size(isa::instruction_table))];
        std::uint32_t word = (draw & ~row.mask) | row.match;
        if (n % 4 == 1) word ^= 1U << random.below(32);
        if (n % 4 == 2) word = draw | 3;
        d.compare(word);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(rtl_decode, knows_each_csr) {
    decoder d;
    for (std::uint32_t number = 0; number < 4096; ++number) {
        for (std::uint32_t kind = 0; kind < 8; ++kind) {
            for (const std::uint32_t source : {0U, 9U}) {
                d.compare(number << 20 | source << 15 | kind << 12 | 7 << 7 | 0x73);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

}  // namespace
}  // namespace heddle::rtl_smx
