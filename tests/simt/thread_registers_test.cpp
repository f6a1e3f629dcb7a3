// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/thread_registers.h"

#include <gtest/gtest.h>

#include <array>

#include "models/base/random.h"
#include "tests/isa/scalar_reference.h"

namespace heddle::simt {
namespace {

using isa::instruction;
using isa::lane_mask;
using isa::opcode;

TEST(thread_registers, start_sets_the_calling_convention) {
    thread_registers<32> registers;
    std::memset(static_cast<void*>(&registers), 0x5a, sizeof registers);
    registers.start(0xc0000100, 4096);
    for (unsigned index = 0; index < isa::register_count; ++index) {
        for (const std::uint32_t value : registers.x[index]) {
            ASSERT_EQ(value, index == 10  ? 0xc0000100
                             : index == 2 ? program::private_window.base + 4096
                                          : 0u)
                << isa::register_name(index);
        }
    }
}

/// Registers a0 to a7 and the rounding mode of each thread by itself, as the unprivileged
/// specification states the instructions, beside those of a warp.
template <unsigned Lanes>
class naive_threads {
public:
    explicit naive_threads(random_stream& random) : random_(random) {
        tested_.start(7, 64);
        for (unsigned lane = 0; lane < Lanes; ++lane) threads_[lane].x[10] = 7;
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            threads_[lane].x[2] = program::private_window.base + 64;
        }
    }

    void step() {
        const lane_mask lanes = random_.chance(0.3)
                                    ? bits::below(Lanes)
                                    : random_.next() & random_.next() & bits::below(Lanes);
        switch (random_.below(4)) {
            case 0:
                return access_csr(lanes);
            case 1:
                return add(lanes);
            default:
                return set_register(lanes);
        }
    }

    void compare() const {
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            for (unsigned index = 0; index < isa::register_count; ++index) {
                ASSERT_EQ(tested_.x[index][lane], threads_[lane].x[index])
                    << isa::register_name(index) << " of lane " << lane;
            }
        }
    }

private:
    struct thread {
        std::array<std::uint32_t, isa::register_count> x{};
        unsigned mode = 0;
    };

    std::uint8_t any_register() { return static_cast<std::uint8_t>(10 + random_.below(8)); }

    template <class Function>
    void for_threads(lane_mask lanes, Function&& f) {
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            if ((lanes >> lane & 1) != 0) f(threads_[lane]);
        }
    }

    /// Small values, so that what becomes a rounding mode is mostly legal, or close to 1.
    void set_register(lane_mask lanes) {
        const std::uint8_t rd = any_register();
        const std::uint32_t mode = static_cast<std::uint32_t>(random_.below(8));
        const std::uint32_t near_one =
            0x3f800000 + static_cast<std::uint32_t>(random_.below(1 << 24));
        const std::uint32_t choices[] = {0, mode, mode << 5, near_one, 0x33800000};
        const std::uint32_t value = choices[random_.below(5)];
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            if ((lanes >> lane & 1) != 0) tested_.x[rd][lane] = value;
        }
        for_threads(lanes, [&](thread& t) { t.x[rd] = value; });
    }

    void access_csr(lane_mask lanes) {
        constexpr opcode forms[] = {opcode::csrrw,  opcode::csrrs,  opcode::csrrc,
                                    opcode::csrrwi, opcode::csrrsi, opcode::csrrci};
        constexpr int numbers[] = {1, 2, 3};  // fflags, frm, fcsr
        instruction i;
        i.op = forms[random_.below(6)];
        i.cls = isa::instruction_class::csr;
        i.rd = random_.chance(0.3) ? isa::sink_register : any_register();
        const bool immediate =
            i.op == opcode::csrrwi || i.op == opcode::csrrsi || i.op == opcode::csrrci;
        i.rs1 = random_.chance(0.3) ? 0 : any_register();
        if (immediate)
            i.rs1 = static_cast<std::uint8_t>(random_.below(random_.chance(0.5) ? 2 : 8));
        i.imm = numbers[random_.below(3)];
        const block_identity nobody{};
        tested_.access_csr(i, lanes, {nobody, 0, 0, 0});
        for_threads(lanes, [&](thread& t) {
            const std::uint32_t old = i.imm == 1 ? 0 : i.imm == 2 ? t.mode : t.mode * 32;
            const std::uint32_t operand = immediate ? i.rs1 : t.x[i.rs1];
            std::uint32_t value = operand;
            if (i.op == opcode::csrrs || i.op == opcode::csrrsi) value = old | operand;
            if (i.op == opcode::csrrc || i.op == opcode::csrrci) value = old & ~operand;
            // With x0 or 0 as their operand, csrrs and csrrc give what was there before.
            if (i.imm == 2) t.mode = value % 8;
            if (i.imm == 3) t.mode = value / 32 % 8;
            if (i.rd != isa::sink_register) t.x[i.rd] = old;
        });
    }

    /// fadd.s with the rounding mode of each thread; 5 to 7 are none.
    void add(lane_mask lanes) {
        instruction i;
        i.op = opcode::fadd_s;
        i.cls = isa::instruction_class::floating;
        i.rd = any_register();
        i.rs1 = any_register();
        i.rs2 = any_register();
        i.rm = isa::rounding::dynamic;
        i.flags = isa::flag::writes_rd | isa::flag::dynamic_rm;
        lane_mask illegal = 0;
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            if ((lanes >> lane & 1) != 0 && threads_[lane].mode > 4) {
                illegal |= bits::one(lane);
            }
        }
        ASSERT_EQ(tested_.execute(i, 0, lanes), illegal);
        if (illegal != 0) return;
        for_threads(lanes, [&](thread& t) {
            t.x[i.rd] = isa::test::reference(i, {t.x[i.rs1], t.x[i.rs2], 0, 0, t.mode});
        });
    }

    random_stream& random_;
    thread_registers<Lanes> tested_;
    std::array<thread, Lanes> threads_;
};

template <unsigned Lanes>
void compare_threads() {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        random_stream random(seed, "thread_registers_test");
        naive_threads<Lanes> threads(random);
        for (unsigned n = 0; n < 200; ++n) {
            ASSERT_NO_FATAL_FAILURE(threads.step());
            ASSERT_NO_FATAL_FAILURE(threads.compare());
        }
    }
}

TEST(thread_registers, rounding_modes_thread_by_thread) {
    ASSERT_NO_FATAL_FAILURE(compare_threads<8>());
    ASSERT_NO_FATAL_FAILURE(compare_threads<16>());
    ASSERT_NO_FATAL_FAILURE(compare_threads<32>());
    ASSERT_NO_FATAL_FAILURE(compare_threads<64>());
}

}  // namespace
}  // namespace heddle::simt
