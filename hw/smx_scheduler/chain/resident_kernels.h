// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>

#include "hw/base/pool.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/smx_scheduler/chain/kde_chain.h"
#include "models/base/strong_index.h"

namespace heddle {

/// The kernels in the Kernel Distributor Entries (KDE), as the SMX scheduler knows them: what
/// groups compare themselves with, and when an entry is over. Every block that starts or ends
/// passes the scheduler first, so that it knows a cycle before the Kernel Distributor.
///
/// An entry is over when its own blocks have been distributed, no block of it runs, its chain is
/// empty, and no group is pinned to it. O(1), no allocation after construction.
class resident_kernels {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    /// `chain` outlives the object.
    resident_kernels(unsigned entries, const kde_chain& chain) : chain_(chain), entries_(entries) {}

    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    /// The kernel of an entry; null if the entry is free.
    [[nodiscard]] const launch_ptr& kernel(kde_index entry) const { return entries_[entry].kernel; }
    /// Whether a group may join the entry: the same kernel with the same blocks.
    [[nodiscard]] bool eligible(kde_index entry, const protocol::kernel_launch& group) const;

    /// Of the kernels in the entries; 0 without any. O(entries).
    [[nodiscard]] std::uint32_t highest_priority() const;

    void start(kde_index entry, launch_ptr kernel) {
        entries_[entry] = {};
        entries_[entry].kernel = std::move(kernel);
    }
    /// The last block of the entry's own kernel was distributed.
    void exhaust(kde_index entry) { entries_[entry].exhausted = true; }
    /// ExeBL, groups included.
    void start_block(kde_index entry) { ++entries_[entry].executing; }
    void end_block(kde_index entry) { --entries_[entry].executing; }
    /// A group is to join the entry. True if it is the first one: the distributor has to be told.
    [[nodiscard]] bool pin(kde_index entry);
    /// The group has joined.
    void unpin(kde_index entry) { --entries_[entry].pins; }

    /// Frees the entry if it is over. True if it was held for groups: the distributor has to be
    /// told.
    [[nodiscard]] bool release_if_over(kde_index entry);

private:
    struct state {
        launch_ptr kernel;
        std::uint32_t executing = 0;
        std::uint32_t pins = 0;
        bool exhausted = false;
        bool held = false;  ///< a group has been pinned since it started
    };

    const kde_chain& chain_;
    strong_vector<kde_index, state> entries_;
};

}  // namespace heddle
