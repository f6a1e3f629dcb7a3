// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

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
    [[nodiscard]] bool in_use(agt_entry entry) const noexcept {
        return static_cast<bool>(entries_[entry].launch);
    }
    /// The entry of the thread, for its group; null if the entry is in use.
    std::optional<agt_entry> allocate(std::uint32_t thread, launch_ptr launch);

    // Of an entry in use; unchecked.
    [[nodiscard]] const launch_ptr& launch(agt_entry entry) const { return entries_[entry].launch; }
    [[nodiscard]] group_index next(agt_entry entry) const { return entries_[entry].next; }
    void set_next(agt_entry entry, group_index next) { entries_[entry].next = next; }
    /// A block was distributed: ExeBL + 1.
    void start_block(agt_entry entry) { (void)perform(group_operation::start_block, entry); }
    /// The last block was distributed. True if the entry is free from now on.
    bool exhaust(agt_entry entry) { return perform(group_operation::exhaust, entry); }
    /// A block has ended: ExeBL - 1. True if the entry is free from now on.
    bool end_block(agt_entry entry) { return perform(group_operation::end_block, entry); }

private:
    struct state {
        launch_ptr launch;  ///< null: free
        group_index next = null_group;
    };

    bool perform(group_operation what, agt_entry entry);

    std::unique_ptr<group_allocator> allocator_;
    strong_vector<agt_entry, state> entries_;
    unsigned used_ = 0;
};

}  // namespace heddle
