// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/inbox.h"
#include "hw/protocol/kde_update.h"
#include "hw/smx/block_life/block_actions.h"
#include "hw/smx/blocks/block_table.h"
#include "hw/smx/blocks/life_mechanism.h"
#include "hw/smx/blocks/movable_warps.h"

namespace heddle {

/// Blocks that the SMX scheduler tells to make room for a launch of higher priority. Their warps
/// stop, each before its next instruction. A block that comes back or starts at the same edge is
/// one of them; one whose state is on its way to memory leaves anyhow.
class preempted_blocks final : public life_mechanism {
public:
    /// `owner`: the SMX's core, which is woken when blocks have to leave.
    preempted_blocks(clocked& owner, const block_table& blocks, block_actions& actions,
                     movable_warps& warps)
        : owner_(owner), blocks_(blocks), actions_(actions), warps_(warps), updates_(owner, 2) {}

    /// kde_link: all blocks of a launch have to leave.
    tlm::tlm_sync_enum preempt(protocol::kde_update& update);

    [[nodiscard]] bool busy() const override {
        return actions_.told_to_leave() != 0 || !updates_.empty();
    }
    std::uint64_t to_leave(bool& changed) override;
    [[nodiscard]] protocol::warp_mask waiting() const override { return warps_.held(); }
    [[nodiscard]] std::optional<protocol::block_outcome> reason(unsigned slot) const override;
    bool stays(unsigned slot) override;
    void leaves(unsigned slot, std::uint64_t) override { actions_.forget_to_leave(slot); }
    void gone(unsigned slot) override { actions_.forget_to_leave(slot); }

private:
    void take_updates();

    clocked& owner_;
    const block_table& blocks_;
    block_actions& actions_;
    movable_warps& warps_;
    inbox<pool_ptr<protocol::kde_update>> updates_;
};

}  // namespace heddle
