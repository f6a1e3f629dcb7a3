// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// transfer and reconvergence_stack as an engine uses them, on random programs, against a statement
// of immediate post-dominators that has no stack.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/simt/reconvergence_stack.h"
#include "tests/simt/thread_walk.h"

namespace heddle::simt {
namespace {

using test::pairwise_reference;
using test::random_code;

/// One warp.
class stack_machine {
public:
    stack_machine(const random_code& program, pairwise_reference& reference, unsigned threads)
        : program_(program), reference_(reference) {
        stack_.reset(program.entry, bits::below(threads));
        load_top();
    }

    /// False after the last instruction.
    bool step() {
        const isa::instruction& i = program_.code.at(pc_);
        const control_site site{program_.code, pc_, lanes_, counts};
        reference_.issue(pc_, lanes_);
        if (!reference_.violation().empty()) return false;
        if (i.op == isa::opcode::exit) {
            stack_.exit(lanes_);
            if (!stack_.empty()) load_top();
            return !stack_.empty();
        }
        alignas(64) std::uint32_t targets[64];
        lane_mask taken = 0;
        bits::for_each(lanes_, [&](unsigned lane) {
            targets[lane] = reference_.pc(lane);  // it has executed the instruction already
            if (targets[lane] != pc_ + 4) taken |= bits::one(lane);
        });
        if (i.cls == isa::instruction_class::branch) {
            follow(branch(site, i, taken));
        } else if (i.cls == isa::instruction_class::jump) {
            follow(jump(site, i));
        } else if (i.cls == isa::instruction_class::jump_register) {
            follow(jump_register(site, i, targets));
        } else {
            go_to(pc_ + 4);
        }
        deepest = std::max(deepest, stack_.entries().size());
        return true;
    }

    execution_counts counts;
    std::size_t deepest = 0;  ///< entries of the stack

private:
    void load_top() {
        pc_ = stack_.top().next_pc;
        lanes_ = stack_.top().lanes;
    }
    void go_to(std::uint32_t pc) {
        pc_ = pc;
        if (pc != stack_.limit()) return;
        stack_.advance(pc);
        load_top();
    }
    void follow(const transfer& to) {
        if (to.what == transfer::kind::together) return go_to(to.groups[0].pc);
        stack_.follow(to);
        load_top();
    }

    const random_code& program_;
    pairwise_reference& reference_;
    reconvergence_stack stack_;
    std::uint32_t pc_ = 0;
    lane_mask lanes_ = 0;
};

class simt_control_flow : public testing::TestWithParam<unsigned> {
protected:
    /// Seeds 0 to runs - 1.
    static void run(unsigned threads, unsigned functions, unsigned runs) {
        for (std::uint64_t seed = 0; seed < runs; ++seed) {
            SCOPED_TRACE("seed " + std::to_string(seed));
            random_stream random(seed, "simt_control_flow");
            const random_code program = test::make_random_code(random, functions);
            std::vector<std::vector<test::walk_step>> walks(threads);
            for (auto& walk : walks) walk = test::walk(program, random);
            pairwise_reference reference(program, walks);
            stack_machine machine(program, reference, threads);
            while (machine.step()) {
            }
            ASSERT_EQ(reference.violation(), "");
            ASSERT_TRUE(reference.all_ended());
            ASSERT_EQ(machine.counts.branches, reference.branches());
            ASSERT_EQ(machine.counts.divergent_branches, reference.divergent_branches());
            if (!program.calls) {
                ASSERT_LE(machine.deepest, 2 * threads);
            }
        }
    }
};
INSTANTIATE_TEST_SUITE_P(threads, simt_control_flow, testing::Values(2u, 5u, 8u, 16u, 32u, 64u));

TEST_P(simt_control_flow, of_one_function_follows_the_pairwise_rule) {
    run(GetParam(), 1, 20000 / (GetParam() * GetParam()) + 20);
}

TEST_P(simt_control_flow, with_calls_follows_the_pairwise_rule) {
    run(GetParam(), 4, 20000 / (GetParam() * GetParam()) + 20);
}

}  // namespace
}  // namespace heddle::simt
