// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

#include "hw/smx_scheduler/chain/entry_updates.h"
#include "hw/smx_scheduler/chain/launch_order.h"
#include "hw/smx_scheduler/placement/block_source.h"
#include "models/simt/special_registers.h"

namespace heddle {

/// Blocks that cooperative launches have started while they ran, in this order. There is room for
/// each, but the SMX may not have started the block that it got before.
class forked_blocks final : public block_source {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    /// All arguments outlive the object.
    forked_blocks(const launch_order& order, launch_progress& progress, entry_updates& entries)
        : order_(order), progress_(progress), entries_(entries) {}

    /// Blocks first ... first + count - 1 of a launch that has begun start.
    void add(const launch_ptr& of, std::uint32_t first, std::uint32_t count,
             const newcomer& origin) {
        progress_.fork(of->launch, count);
        protocol::launched_block block;
        block.launch = of->launch;
        block.kernel = of;
        block.origin = origin;
        // All blocks that it had may have been suspended, and the entry have been released.
        const kde_index entry = progress_.entry(of->launch);
        const bool in_entry = order_.kernels().kernel(entry) == of;
        block.kde = in_entry ? entry : protocol::no_kde;
        for (std::uint32_t number = first; number < first + count; ++number) {
            block.block = number;
            block.position = simt::unflatten(number, of->grid);
            waiting_.push_back(block);
            // The entry has the block from now on, lest it be over before.
            if (in_entry) entries_.start_block(block, true);
        }
    }
    /// Takes away the blocks of a launch.
    [[nodiscard]] std::vector<protocol::launched_block> remove(launch_id launch) {
        const auto others =
            std::stable_partition(waiting_.begin(), waiting_.end(),
                                  [&](const auto& block) { return block.launch != launch; });
        std::vector<protocol::launched_block> removed(std::make_move_iterator(others),
                                                      std::make_move_iterator(waiting_.end()));
        waiting_.erase(others, waiting_.end());
        return removed;
    }

    [[nodiscard]] const protocol::launched_block* next() override {
        return waiting_.empty() ? nullptr : &waiting_.front();
    }
    [[nodiscard]] bool placed(sm_id) override {
        waiting_.pop_front();
        return true;
    }
    [[nodiscard]] bool promised() const override { return true; }
    [[nodiscard]] bool pending() const override { return !waiting_.empty(); }
    [[nodiscard]] bool empty() const override { return waiting_.empty(); }

private:
    const launch_order& order_;
    launch_progress& progress_;
    entry_updates& entries_;
    std::deque<protocol::launched_block> waiting_;
};

}  // namespace heddle
