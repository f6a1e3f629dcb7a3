// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Instructions of groups that are gathered from several home warps, against the same instructions
// of one thread after the other, in place.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/smx/pipeline/register_file.h"
#include "models/base/random.h"
#include "models/isa/csr.h"
#include "models/isa/instruction_table.h"

namespace heddle {
namespace {

using isa::instruction_class;

constexpr unsigned warps = 4;

/// Two register files with the same contents.
class register_groups : public testing::TestWithParam<unsigned> {
protected:
    register_groups() {
        for (unsigned warp = 0; warp < warps; ++warp) {
            for (register_file* each : {gathered.get(), one_by_one.get()}) {
                each->start(warp, 0x1000 * warp, 4096);
            }
            for (unsigned r = 1; r < isa::register_count; ++r) set_register(warp, r);
        }
    }

    void set_register(unsigned warp, unsigned index) {
        alignas(64) std::uint32_t values[protocol::maximum_lanes];
        for (std::uint32_t& value : values) {
            // Small integers, floats, and anything.
            const auto bits = static_cast<std::uint32_t>(random.next());
            value = random.below(3) == 0   ? bits % 64
                    : random.below(2) == 0 ? 0x3f000000 + bits % 0x2000000
                                           : bits;
        }
        const thread_group all{bits::below(lanes), 0, 0, static_cast<std::uint16_t>(warp)};
        for (register_file* each : {gathered.get(), one_by_one.get()}) {
            each->write(all, index, values, all.lanes);
        }
    }

    /// Random different threads in random pipeline lanes.
    thread_group random_group() {
        std::vector<std::uint16_t> all(std::size_t{warps} * lanes);
        std::iota(all.begin(), all.end(), std::uint16_t{0});
        for (std::size_t i = all.size(); i-- > 1;) std::swap(all[i], all[random.below(i + 1)]);
        std::copy_n(all.begin(), lanes, threads.begin());
        isa::lane_mask set = random.next() & bits::below(lanes);
        if (set == 0) set = 1;
        return {set, 0x10000 + 4 * static_cast<std::uint32_t>(random.below(100)), 0, 0,
                threads.data()};
    }
    /// The group's thread in a pipeline lane, alone and in place.
    [[nodiscard]] thread_group alone(const thread_group& group, unsigned lane) const {
        const thread_home home = home_of(group, lane, lanes);
        return {bits::one(home.lane), group.pc, 0, static_cast<std::uint16_t>(home.warp)};
    }
    void expect_same_registers(const std::string& what) const {
        for (unsigned warp = 0; warp < warps; ++warp) {
            for (unsigned r = 0; r < isa::register_count; ++r) {
                ASSERT_TRUE(std::equal(gathered->row(warp, r), gathered->row(warp, r) + lanes,
                                       one_by_one->row(warp, r)))
                    << what << ": warp " << warp << ", x" << r;
            }
        }
    }

    const unsigned lanes = GetParam();
    random_stream random{5, "register_groups"};
    std::unique_ptr<register_file> gathered = make_register_file(lanes, warps);
    std::unique_ptr<register_file> one_by_one = make_register_file(lanes, warps);
    std::array<std::uint16_t, protocol::maximum_lanes> threads{};
};

/// A random encoding of each instruction of the table.
isa::instruction random_instruction(const isa::instruction_row& row, random_stream& random) {
    return isa::decode(row.match | (static_cast<std::uint32_t>(random.next()) & ~row.mask));
}

TEST_P(register_groups, compute_as_their_threads_do) {
    const std::set<instruction_class> computing{
        instruction_class::integer,  instruction_class::multiply,        instruction_class::divide,
        instruction_class::floating, instruction_class::floating_divide, instruction_class::special,
        instruction_class::jump,     instruction_class::jump_register};
    unsigned tried = 0;
    for (int round = 0; round < 20; ++round) {
        for (const isa::instruction_row& row : isa::instruction_table) {
            const isa::instruction i = random_instruction(row, random);
            if (computing.count(i.cls) == 0) continue;
            const thread_group group = random_group();
            ASSERT_EQ(gathered->compute(group, i), 0u);
            bits::for_each(group.lanes, [&](unsigned lane) {
                ASSERT_EQ(one_by_one->compute(alone(group, lane), i), 0u);
            });
            expect_same_registers(row.mnemonic);
            if (HasFatalFailure()) return;
            set_register(static_cast<unsigned>(random.below(warps)),
                         1 + static_cast<unsigned>(random.below(31)));
            ++tried;
        }
    }
    EXPECT_GT(tried, 800u);
}

TEST_P(register_groups, branch_jump_and_access_as_their_threads_do) {
    alignas(64) std::uint32_t seen[3][protocol::maximum_lanes];
    alignas(64) std::uint32_t wanted[3][protocol::maximum_lanes];
    for (int round = 0; round < 20; ++round) {
        for (const isa::instruction_row& row : isa::instruction_table) {
            const isa::instruction i = random_instruction(row, random);
            const thread_group group = random_group();
            if (i.cls == instruction_class::branch) {
                const isa::lane_mask taken = gathered->branch_taken(group, i);
                bits::for_each(group.lanes, [&](unsigned lane) {
                    EXPECT_EQ(bits::test(taken, lane),
                              one_by_one->branch_taken(alone(group, lane), i) != 0)
                        << row.mnemonic << ", lane " << lane;
                });
            } else if (i.cls == instruction_class::jump_register) {
                gathered->jump_targets(group, i, seen[0]);
                bits::for_each(group.lanes, [&](unsigned lane) {
                    one_by_one->jump_targets(alone(group, lane), i, wanted[0]);
                    EXPECT_EQ(seen[0][lane], wanted[0][home_of(group, lane, lanes).lane]);
                });
            } else if (i.is_memory()) {
                gathered->read_access(group, i, seen[0], seen[1], seen[2]);
                const bool load = i.cls == instruction_class::load;
                const int operands = load ? 1 : i.op == isa::opcode::amocas_w ? 3 : 2;
                bits::for_each(group.lanes, [&](unsigned lane) {
                    one_by_one->read_access(alone(group, lane), i, wanted[0], wanted[1], wanted[2]);
                    const unsigned home = home_of(group, lane, lanes).lane;
                    for (int n = 0; n < operands; ++n) {
                        EXPECT_EQ(seen[n][lane], wanted[n][home]) << row.mnemonic << ", " << n;
                    }
                });
            }
        }
    }
}

TEST_P(register_groups, values_from_memory_reach_their_threads) {
    alignas(64) std::uint32_t values[protocol::maximum_lanes];
    for (int round = 0; round < 100; ++round) {
        const thread_group group = random_group();
        const isa::lane_mask some = group.lanes & random.next();
        const auto rd = static_cast<unsigned>(1 + random.below(31));
        for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.next());
        gathered->write(group, rd, values, some);
        bits::for_each(some, [&](unsigned lane) {
            alignas(64) std::uint32_t own[protocol::maximum_lanes] = {};
            const thread_group thread = alone(group, lane);
            own[bits::first(thread.lanes)] = values[lane];
            one_by_one->write(thread, rd, own, thread.lanes);
        });
        expect_same_registers("values");
        if (HasFatalFailure()) return;
    }
}

TEST_P(register_groups, each_thread_keeps_its_rounding_mode) {
    // csrrw x0, frm, x5 in lanes 0 and 1 of warp 0: modes 1 (towards zero) and 5 (illegal).
    const isa::instruction set_frm = isa::decode(0x00229073);
    ASSERT_EQ(set_frm.cls, instruction_class::csr);
    const isa::instruction sum = isa::decode(0x00b57653);  // fadd.s a2, a0, a1, dyn
    ASSERT_EQ(sum.cls, instruction_class::floating);
    alignas(64) std::uint32_t values[protocol::maximum_lanes] = {1, 5};
    const thread_group two{0b11, 0, 0, 0};
    gathered->write(two, 5, values, 0b11);
    const simt::block_identity block;
    gathered->access_csr(0, set_frm, 0b11, {block, 0, 0, 0});
    // Pipeline lane 2: warp 0, lane 0; lane 3: warp 1, lane 0, to nearest even; lane 4: the illegal
    // one. 1 + 2^-24 + 2^-25 rounds up to nearest, but not towards zero.
    threads[2] = 0;
    threads[3] = static_cast<std::uint16_t>(lanes);
    threads[4] = 1;
    for (unsigned lane = 0; lane < protocol::maximum_lanes; ++lane) values[lane] = 0x3f800000;
    thread_group group{0b11100, 0x10000, 0, 0, threads.data()};
    gathered->write(group, 10, values, group.lanes);
    for (unsigned lane = 0; lane < protocol::maximum_lanes; ++lane) values[lane] = 0x33c00000;
    gathered->write(group, 11, values, group.lanes);
    EXPECT_EQ(gathered->compute(group, sum), 0b10000u) << "mode 5 is illegal";
    group.lanes = 0b01100;
    EXPECT_EQ(gathered->compute(group, sum), 0u);
    EXPECT_EQ(gathered->value(0, 12, 0), 0x3f800000u) << "towards zero";
    EXPECT_EQ(gathered->value(1, 12, 0), 0x3f800001u) << "to nearest even";
}

INSTANTIATE_TEST_SUITE_P(warp_sizes, register_groups, testing::Values(32u, 64u));

}  // namespace
}  // namespace heddle
