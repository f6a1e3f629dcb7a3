// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hw/base/pool.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/smx_scheduler/groups/group_allocator.h"

namespace heddle {

/// The Aggregated Group Table (AGT). Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.2: an
/// entry (AGE) = {AggDim, Param, Next, ExeBL}; the first two are those of the group's launch.
///
/// The allocator (group_allocator.h) decides which thread gets which entry, and when it is free
/// again. O(1), no allocation after construction.
class group_table {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    /// `entries`: a power of two. `allocator` has as many.
    group_table(unsigned entries, std::unique_ptr<group_allocator> allocator)
        : allocator_(std::move(allocator)), entries_(entries) {}

    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] unsigned used() const noexcept { return used_; }
    [[nodiscard]] bool in_use(group_index group) const noexcept {
        return static_cast<bool>(entries_[group.value()].launch);
    }
    /// The entry of the thread, for its group; null if the entry is in use.
    std::optional<group_index> allocate(std::uint32_t thread, launch_ptr launch);

    // Of an entry in use; unchecked.
    [[nodiscard]] const launch_ptr& launch(group_index group) const {
        return entries_[group.value()].launch;
    }
    [[nodiscard]] group_index next(group_index group) const { return entries_[group.value()].next; }
    void set_next(group_index group, group_index next) { entries_[group.value()].next = next; }
    /// A block was distributed: ExeBL + 1.
    void start_block(group_index group) { (void)perform(group_operation::start_block, group); }
    /// The last block was distributed. True if the entry is free from now on.
    bool exhaust(group_index group) { return perform(group_operation::exhaust, group); }
    /// A block has ended: ExeBL - 1. True if the entry is free from now on.
    bool end_block(group_index group) { return perform(group_operation::end_block, group); }

private:
    struct entry {
        launch_ptr launch;  ///< null: free
        group_index next = null_group;
    };

    bool perform(group_operation what, group_index group);

    std::unique_ptr<group_allocator> allocator_;
    std::vector<entry> entries_;
    unsigned used_ = 0;
};

}  // namespace heddle
