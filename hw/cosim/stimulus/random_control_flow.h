// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/smx/divergence/formation.h"
#include "models/base/random.h"
#include "models/simt/reconvergence_stack.h"

namespace heddle::cosim {

/// Takes the warps of a formation through random control flow that a kernel seldom has. Stacks of
/// its own say what the groups have to be, and which operations the pipeline could ask for. Throws
/// run_error (wrong_result) where the formation differs from them.
class random_control_flow {
public:
    random_control_flow(formation& groups, unsigned warps, unsigned entries, random_stream& random)
        : groups_(groups), entries_(entries), random_(random), warps_(warps) {}

    /// Without `up` the stacks stay low.
    void step(bool up);

    std::uint64_t overflows = 0, moves = 0, commits = 0;
    std::size_t deepest = 0;

private:
    struct warp_state {
        simt::reconvergence_stack stack;
        std::size_t marked = 0;    ///< entries when its transaction began; 0: there is none
        isa::lane_mask lanes = 0;  ///< of the transaction
    };

    void expect_top(unsigned warp, const warp_group& group);
    void start(unsigned warp);
    void exit(unsigned warp);
    /// A warp goes on in another slot.
    void move(unsigned from);
    /// The warp's group goes somewhere. Not out of the entry in which its transaction began.
    void go(unsigned warp);
    void mark(unsigned warp);
    void transact(unsigned warp);
    /// Few, so that groups meet often; now and then elsewhere.
    std::uint32_t pc();
    /// One to four groups with different PCs.
    void groups_of(simt::transfer& to, isa::lane_mask lanes);
    simt::transfer any_transfer(const simt::reconvergence_stack& stack);

    formation& groups_;
    const unsigned entries_;
    random_stream& random_;
    std::vector<warp_state> warps_;
    std::uint32_t base_ = 0x100;  ///< of PCs
    bool up_ = false;
};

}  // namespace heddle::cosim
