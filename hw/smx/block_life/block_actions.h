// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <utility>

#include "hw/smx/execute/execution_parts.h"
#include "hw/smx/issue/issue_front.h"

namespace heddle {

/// What mechanisms in the life of blocks (life_mechanism) ask of a block, and do with it. It lies
/// below them and below block_life: none of them calls another.
class block_actions {
public:
    /// Both outlive the object.
    block_actions(const execution_parts& parts, issue_front& front)
        : parts_(parts), blocks_(parts.blocks), front_(front) {}

    /// Whether no access of the block is under way; what it has written goes to memory.
    [[nodiscard]] bool drained(unsigned slot);
    /// Whether nothing of the block's warps is under way.
    [[nodiscard]] bool rests(unsigned slot) const;
    /// The threads of the block go on behind their call; `groups` blocks are active.
    void release_call(unsigned slot, std::uint32_t groups);
    /// All threads of the block, which rests at a call, end there.
    void kill(unsigned slot, std::uint64_t edge);

    /// The block has been told to make room, and has not yet begun to leave.
    [[nodiscard]] bool told_to_leave(unsigned slot) const noexcept {
        return bits::test(told_to_leave_, slot);
    }
    [[nodiscard]] std::uint64_t told_to_leave() const noexcept { return told_to_leave_; }
    void tell_to_leave(unsigned slot) noexcept { told_to_leave_ |= bits::one(slot); }
    void forget_to_leave(unsigned slot) noexcept { told_to_leave_ &= ~bits::one(slot); }

    /// Whether one of them has changed something since the last call.
    [[nodiscard]] bool take_changed() noexcept { return std::exchange(changed_, false); }

private:
    const execution_parts parts_;
    block_table& blocks_;
    issue_front& front_;
    std::uint64_t told_to_leave_ = 0;  ///< block slots
    bool changed_ = false;
};

}  // namespace heddle
