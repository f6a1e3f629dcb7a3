// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/transaction_feasibility.h"

#include <gmock/gmock.h>

namespace heddle::analytic {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t base = 0x10000;
constexpr std::uint32_t begin = 0x0000500b, commit = 0x0200500b, finish = 0x0400000b;
constexpr std::uint32_t load = 0x00052583;   // lw a1, 0(a0)
constexpr std::uint32_t store = 0x00b52023;  // sw a1, 0(a0)
constexpr std::uint32_t push = 0x00b12023;   // sw a1, 0(sp)
constexpr std::uint32_t back = 0xfe059ee3;   // bne a1, x0, -4
constexpr std::uint32_t call = 0x00c000ef;   // jal ra, +12
constexpr std::uint32_t ret = 0x00008067;

/// A kernel of these words.
program::kernel kernel_of(const std::vector<std::uint32_t>& words) {
    program::kernel k;
    k.name = "k";
    k.entry = base;
    k.registers = 16;
    k.static_shared_bytes = 4096;
    k.code.base = base;
    for (const std::uint32_t word : words) k.code.instructions.push_back(isa::decode(word));
    k.transaction_pc = base;
    return k;
}

/// The four of the paper, with its table 3.
const transaction_detection detections[] = {{"prw_sig", "", 2048, false, false},
                                            {"swo_sig", "", 2048, false, true},
                                            {"dcd", "", 0, true, false},
                                            {"smdcd", "", 456, true, false}};

machine_configuration si() {
    machine_configuration machine{
        transaction_configuration({std::begin(detections), std::end(detections)})};
    machine.warp_size = 64;
    machine.smx.max_threads = 2560;
    machine.smx.register_granule = 4;
    machine.smx.shared_bytes = 65536;
    return machine;
}

TEST(find_transactions, tells_reads_from_writes_and_loops_and_follows_calls) {
    const auto reads = find_transactions(kernel_of({begin, load, push, commit, store, finish}));
    ASSERT_EQ(reads.size(), 1u);
    EXPECT_EQ(reads[0].pc, base);
    EXPECT_EQ(reads[0].loads, 1u);
    EXPECT_TRUE(reads[0].read_only());
    EXPECT_FALSE(reads[0].large());
    const auto loop = find_transactions(kernel_of({begin, load, back, store, commit, finish}));
    EXPECT_EQ(loop[0].stores, 1u);
    EXPECT_FALSE(loop[0].read_only());
    EXPECT_TRUE(loop[0].loops);
    EXPECT_TRUE(loop[0].large());
    const auto callee = find_transactions(kernel_of({begin, call, commit, finish, store, ret}));
    EXPECT_EQ(callee[0].stores, 1u);
    // The transaction itself is behind a call.
    EXPECT_EQ(
        find_transactions(kernel_of({call, finish, finish, begin, store, commit, ret})).size(), 1u);
    EXPECT_TRUE(find_transactions(kernel_of({finish, begin, commit})).empty());
}

TEST(judge_transactions, follows_the_rules_of_the_paper) {
    const auto reads = kernel_of({begin, load, commit, finish});
    const auto updates = kernel_of({begin, load, store, commit, finish});
    const auto large = kernel_of({begin, load, back, store, commit, finish});
    EXPECT_EQ(judge_transactions(reads, 256, 0, si()).preferred, "swo_sig with ascending_multiple");
    EXPECT_EQ(judge_transactions(updates, 256, 0, si()).preferred,
              "prw_sig with ascending_multiple");
    EXPECT_EQ(judge_transactions(large, 256, 0, si()).preferred, "smdcd with ascending_multiple");
    machine_configuration few = si();
    few.tm.scalar_registers = 11;  // masks 8, signatures of writes 4
    const auto without = judge_transactions(reads, 256, 0, few);
    EXPECT_EQ(without.preferred, "prw_sig with ascending_single");
    EXPECT_THAT(without.fits[1].reason, HasSubstr("12 scalar registers; the limit is 11"));
    few = si();
    few.smx.registers = 16 * 256 + 2047;
    EXPECT_EQ(judge_transactions(reads, 256, 0, few).preferred, "smdcd with ascending_multiple");
    few.smx.registers = 16 * 256 + 455;
    EXPECT_EQ(judge_transactions(reads, 256, 0, few).preferred, "dcd with ascending_multiple");
}

TEST(judge_transactions, multiple_selection_needs_all_its_scalar_registers) {
    const auto updates = kernel_of({begin, load, store, commit, finish});
    machine_configuration machine = si();
    // 4 warps of 64: masks 8, one for each warp 4, signatures of writes 8.
    machine.tm.scalar_registers = 20;
    EXPECT_TRUE(judge_transactions(updates, 256, 0, machine).multiple_selection);
    machine.tm.scalar_registers = 19;
    EXPECT_FALSE(judge_transactions(updates, 256, 0, machine).multiple_selection);
}

TEST(judge_transactions, counts_blocks_and_says_what_does_not_fit) {
    const auto updates = kernel_of({begin, load, store, commit, finish});
    const auto fits = judge_transactions(updates, 256, 0, si()).fits;
    EXPECT_EQ(fits[0].shared_bytes, 4096 + 5120u);
    EXPECT_EQ(fits[0].registers, 16 * 256 + 2048u);
    EXPECT_EQ(fits[0].blocks, 7u);  // 65536 / 9216
    EXPECT_EQ(fits[2].registers, 16 * 256u);
    const auto full = judge_transactions(updates, 256, 29128 - 4096, si());
    for (const detection_fit& fit : full.fits) {
        EXPECT_EQ(fit.blocks, 0u);
        EXPECT_THAT(fit.reason, HasSubstr("2 B too large"));
    }
    EXPECT_EQ(full.preferred, "a lock of the block");
    EXPECT_EQ(judge_transactions(updates, 257, 0, si()).preferred, "a lock of the block");
    EXPECT_EQ(judge_transactions(updates, 256, 65536, si()).preferred, "nothing");
}

}  // namespace
}  // namespace heddle::analytic
