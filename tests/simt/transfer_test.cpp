// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/transfer.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/base/random.h"

namespace heddle::simt {
namespace {

using isa::instruction_class;
using isa::opcode;

constexpr std::uint32_t base = 0x10000;
constexpr std::uint32_t size = 64;  ///< instructions

program::kernel_code blank_code() {
    program::kernel_code code;
    code.base = base;
    code.instructions.resize(size);
    for (std::uint32_t n = 0; n < size; ++n) code.reconvergence.push_back(base + 4 * (n ^ 5));
    return code;
}

isa::instruction make(opcode op, instruction_class cls, std::uint8_t flags = 0) {
    isa::instruction i;
    i.op = op;
    i.cls = cls;
    i.flags = flags;
    return i;
}

/// A target that may lie outside the code, at its ends, or between instructions.
std::uint32_t random_target(random_stream& random, bool legal) {
    const std::uint32_t inside = base + 4 * static_cast<std::uint32_t>(random.below(size));
    if (legal) return inside;
    const std::uint32_t outside[] = {inside + 2, base - 4, base + 4 * size, 0, 0xffff'fffc};
    return outside[random.below(5)];
}

/// Groups of lanes by target, found by comparing each lane with each.
std::vector<lane_group> naive_groups(lane_mask lanes, const std::uint32_t* targets) {
    std::vector<lane_group> groups;
    for (unsigned a = 0; a < 64; ++a) {
        if ((lanes >> a & 1) == 0) continue;
        bool lowest = true;
        lane_mask same = 0;
        for (unsigned b = 0; b < 64; ++b) {
            if ((lanes >> b & 1) == 0 || targets[b] != targets[a]) continue;
            same |= lane_mask{1} << b;
            if (b < a) lowest = false;
        }
        if (lowest) groups.push_back({targets[a], same});
    }
    return groups;
}

bool is_instruction(std::uint32_t pc) {
    for (std::uint32_t n = 0; n < size; ++n) {
        if (pc == base + 4 * n) return true;
    }
    return false;
}

void expect_groups(const transfer& to, const std::vector<lane_group>& expected) {
    ASSERT_EQ(to.count, expected.size());
    for (unsigned g = 0; g < to.count; ++g) {
        EXPECT_EQ(to.groups[g].pc, expected[g].pc) << "group " << g;
        EXPECT_EQ(to.groups[g].lanes, expected[g].lanes) << "group " << g;
    }
}

class simt_transfer : public testing::Test {
protected:
    [[nodiscard]] control_site site() { return {code, pc, lanes, counts}; }
    void draw(std::uint64_t seed) {
        random = random_stream(seed, "simt_transfer");
        counts = {};
        pc = random_target(random, true);
        lanes = random.next() & random.next() & bits::below(8u << random.below(4));
        if (lanes == 0) lanes = 1;
    }

    const program::kernel_code code = blank_code();
    random_stream random{0, "simt_transfer"};
    execution_counts counts;
    std::uint32_t pc = base;
    lane_mask lanes = 1;
};

constexpr std::uint64_t seeds = 3000;

TEST_F(simt_transfer, of_a_branch) {
    isa::instruction i = make(opcode::bne, instruction_class::branch);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        draw(seed);
        const std::uint32_t target = random_target(random, random.chance(0.8));
        i.imm = static_cast<std::int32_t>(target - pc);
        const lane_mask some[] = {0, lanes, lanes & random.next(), lanes & random.next()};
        const lane_mask taken = some[random.below(4)];
        const transfer to = branch(site(), i, taken);
        ASSERT_EQ(counts.branches, 1u);
        std::vector<lane_group> expected;
        if (taken != lanes) expected.push_back({pc + 4, lanes & ~taken});
        if (taken != 0) expected.push_back({target, taken});
        const bool refused = taken != 0 && !is_instruction(target);
        if (refused) expected = {{target, taken}};
        ASSERT_EQ(to.what, refused                ? transfer::kind::refused
                           : expected.size() == 1 ? transfer::kind::together
                                                  : transfer::kind::part);
        ASSERT_NO_FATAL_FAILURE(expect_groups(to, expected));
        ASSERT_EQ(counts.divergent_branches, expected.size() - 1);
        if (to.what != transfer::kind::part) continue;
        ASSERT_EQ(to.reconvergence_pc, base + 4 * ((pc - base) / 4 ^ 5));
    }
}

TEST_F(simt_transfer, of_a_jump) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        draw(seed);
        const bool call = random.chance(0.5);
        isa::instruction i = make(opcode::jal, instruction_class::jump, call ? isa::flag::call : 0);
        const std::uint32_t target = random_target(random, random.chance(0.8));
        i.imm = static_cast<std::int32_t>(target - pc);
        const transfer to = jump(site(), i);
        ASSERT_EQ(to.what, !is_instruction(target) ? transfer::kind::refused
                           : call                  ? transfer::kind::call
                                                   : transfer::kind::together);
        ASSERT_NO_FATAL_FAILURE(expect_groups(to, {{target, lanes}}));
        if (to.what == transfer::kind::call) {
            ASSERT_EQ(to.return_address, pc + 4);
        }
        ASSERT_EQ(counts.branches, 0u) << "a direct jump is no branch";
    }
}

TEST_F(simt_transfer, of_a_jump_through_a_register) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        draw(seed);
        const std::uint8_t flags[] = {0, isa::flag::call, isa::flag::returns};
        const isa::instruction i =
            make(opcode::jalr, instruction_class::jump_register, flags[random.below(3)]);
        // From all lanes together to each on its own; lanes that are not active have no target.
        std::vector<std::uint32_t> places(1 + random.below(random.chance(0.2) ? 64 : 4));
        const double legal = random.chance(0.8) ? 1 : 0.7;
        for (std::uint32_t& place : places) place = random_target(random, random.chance(legal));
        std::uint32_t targets[64];
        for (unsigned lane = 0; lane < 64; ++lane) {
            const bool active = (lanes >> lane & 1) != 0;
            targets[lane] = active ? places[random.below(places.size())] : 1;
        }
        const transfer to = jump_register(site(), i, targets);
        const std::vector<lane_group> groups = naive_groups(lanes, targets);
        const lane_group* refused = nullptr;
        for (const lane_group& g : groups) {
            if (refused == nullptr && !is_instruction(g.pc)) refused = &g;
        }
        if (refused != nullptr) {
            ASSERT_EQ(to.what, transfer::kind::refused);
            ASSERT_EQ(to.groups[0].pc, refused->pc);
            ASSERT_EQ(bits::first(to.groups[0].lanes), bits::first(refused->lanes));
            continue;
        }
        ASSERT_NO_FATAL_FAILURE(expect_groups(to, groups));
        ASSERT_EQ(counts.branches, 1u);
        ASSERT_EQ(counts.divergent_branches, groups.size() > 1 ? 1u : 0u);
        ASSERT_EQ(to.what, i.is_call()          ? transfer::kind::call
                           : i.is_return()      ? transfer::kind::ret
                           : groups.size() == 1 ? transfer::kind::together
                                                : transfer::kind::part);
        if (to.what == transfer::kind::call) {
            ASSERT_EQ(to.return_address, pc + 4);
        }
        if (to.what != transfer::kind::part) continue;
        ASSERT_EQ(to.reconvergence_pc, base + 4 * ((pc - base) / 4 ^ 5));
    }
}

}  // namespace
}  // namespace heddle::simt
