// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/base/pool.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/kernel_launch.h"

namespace heddle {

/// The Aggregated Group Table (AGT). Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.2: an
/// entry (AGE) = {AggDim, Param, Next, ExeBL}; the first two are those of the group's launch.
///
/// A group may have one entry only, which the hardware thread that launches it gives: its number
/// mod the size. An entry is in use until all blocks of its group have been distributed and have
/// ended. O(1), no allocation after construction.
class group_table {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    /// `entries`: a power of two.
    explicit group_table(unsigned entries) : entries_(entries) {}

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
    [[nodiscard]] std::uint32_t blocks_executing(group_index group) const {
        return entries_[group.value()].executing;
    }
    void set_next(group_index group, group_index next) { entries_[group.value()].next = next; }
    /// A block was distributed: ExeBL + 1.
    void start_block(group_index group) { ++entries_[group.value()].executing; }
    /// The last block was distributed. True if the entry is free from now on.
    bool exhaust(group_index group);
    /// A block has ended: ExeBL - 1. True if the entry is free from now on.
    bool end_block(group_index group);

private:
    struct entry {
        launch_ptr launch;  ///< null: free
        group_index next = null_group;
        std::uint32_t executing = 0;
        bool exhausted = false;
    };

    bool release_if_over(entry& e);

    std::vector<entry> entries_;
    unsigned used_ = 0;
};

}  // namespace heddle
