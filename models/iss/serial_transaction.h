// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/base/bits.h"
#include "models/simt/reconvergence_stack.h"

namespace heddle::iss {

/// A transaction of a warp whose lanes run one after another, in ascending order: the golden model
/// of transactional memory. Nothing has to be undone, as no lane meets another one.
class serial_transaction {
public:
    /// Whether some lane is between tx.begin and tx.commit.
    [[nodiscard]] bool open() const noexcept { return open_; }
    /// Whether the lane has left the entry of the stack in which the transaction began: it has
    /// reconverged with other lanes, or returned from the function.
    [[nodiscard]] bool left(const simt::reconvergence_stack& stack) const noexcept {
        return open_ && stack.entries().size() < entries_;
    }

    /// The top's lanes begin; `pc` is the instruction behind tx.begin.
    void begin(simt::reconvergence_stack& stack, std::uint32_t pc) {
        entries_ = stack.entries().size();
        left_ = stack.top().lanes;
        first_pc_ = pc;
        commit_pc_ = 0;
        open_ = true;
        stack.mark(pc);
        start_next(stack);
    }

    /// The lane has reached the tx.commit at `pc`: the next lane begins, or all go on behind it.
    /// False if the stack is not as at tx.begin, or an earlier lane has committed elsewhere.
    [[nodiscard]] bool commit(simt::reconvergence_stack& stack, std::uint32_t pc) {
        if (!stack.at_mark() || (commit_pc_ != 0 && commit_pc_ != pc)) return false;
        commit_pc_ = pc;
        if (left_ != 0) {
            start_next(stack);
        } else {
            open_ = false;
            stack.release(pc + 4);
        }
        return true;
    }

private:
    void start_next(simt::reconvergence_stack& stack) {
        stack.rewind(left_ & -left_);
        left_ &= left_ - 1;
        stack.advance(first_pc_);
    }

    std::size_t entries_ = 0;      ///< of the stack at tx.begin
    simt::lane_mask left_ = 0;     ///< lanes that have not begun
    std::uint32_t first_pc_ = 0;   ///< behind tx.begin
    std::uint32_t commit_pc_ = 0;  ///< of the lanes before; 0: none
    bool open_ = false;
};

}  // namespace heddle::iss
