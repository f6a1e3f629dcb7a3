// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "hw/protocol/block_dispatch.h"
#include "hw/smx_scheduler/chain/launch_order.h"
#include "hw/smx_scheduler/placement/block_source.h"
#include "hw/smx_scheduler/placement/preemption.h"
#include "hw/smx_scheduler/placement/room_reserve.h"

namespace heddle {

/// A block that has left its SMX, as it comes back. A suspended one has left its entry, too: its
/// state in memory has what an entry has.
[[nodiscard]] inline protocol::launched_block as_it_returns(const protocol::block_dispatch& left) {
    protocol::launched_block block = static_cast<const protocol::launched_block&>(left);
    block.resumed = true;
    if (left.outcome == protocol::block_outcome::suspended) {
        block.kde = protocol::no_kde;
        block.group = null_group;
    }
    return block;
}

/// The blocks that wait for their return to an SMX, whichever way they have taken: of the highest
/// priority first, and those of one priority in the order in which they have come here. They go
/// before all launches of their priority and below. A preempted one waits until no launch of higher
/// priority is left, but not for what stands behind a launch that waits for it; a suspended one
/// waits for launches that are being distributed. O(log priorities) a call, next(): O(entries).
class returning_blocks final : public block_source {
public:
    /// All arguments outlive the object.
    returning_blocks(const launch_order& order, preemption& preempted, room_reserve& reserve)
        : order_(order), preempted_(preempted), reserve_(reserve) {}

    /// `left_as`: suspended or preempted; a preempted one may not have been on an SMX.
    void add(protocol::launched_block block, protocol::block_outcome left_as) {
        ++size_;
        if (left_as == protocol::block_outcome::preempted) preempted_.goes_away(block.launch);
        const std::uint32_t priority = block.kernel->priority;
        waiting_[priority].push_back({std::move(block), left_as});
    }
    /// The block that comes back next, now or later; null: there is none.
    [[nodiscard]] const protocol::launched_block* first() const {
        return waiting_.empty() ? nullptr : &waiting_.begin()->second.front().block;
    }
    /// Launches of this priority go behind it.
    [[nodiscard]] bool hold_up(std::uint32_t priority) const {
        return !waiting_.empty() && waiting_.begin()->first >= priority;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] const protocol::launched_block* next() override {
        return pending() ? first() : nullptr;
    }
    [[nodiscard]] bool placed(sm_id) override {
        const auto highest = waiting_.begin();
        const entry back = std::move(highest->second.front());
        highest->second.pop_front();
        if (highest->second.empty()) waiting_.erase(highest);
        --size_;
        if (back.left_as == protocol::block_outcome::preempted) {
            preempted_.comes_back(back.block.launch);
        } else if (back.block.kernel->cooperative) {
            reserve_.remove(back.block.kernel->per_block);
        }
        return true;
    }
    [[nodiscard]] bool pending() const override {
        if (waiting_.empty()) return false;
        const auto& [priority, blocks] = *waiting_.begin();
        if (blocks.front().left_as == protocol::block_outcome::suspended) {
            return order_.next_priority() <= priority;
        }
        if (preempted_.highest_priority() > priority) return false;
        // What stands behind a launch that waits for this block would never come.
        return order_.kernels().highest_priority() <= priority ||
               order_.higher_stands_behind(priority);
    }
    [[nodiscard]] bool empty() const override { return size_ == 0; }

private:
    struct entry {
        protocol::launched_block block;
        protocol::block_outcome left_as;
    };

    const launch_order& order_;
    preemption& preempted_;
    room_reserve& reserve_;
    std::map<std::uint32_t, std::deque<entry>, std::greater<>> waiting_;  ///< by priority
    std::size_t size_ = 0;
};

}  // namespace heddle
