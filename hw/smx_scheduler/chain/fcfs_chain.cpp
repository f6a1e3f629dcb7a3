// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/chain/fcfs_chain.h"

namespace heddle {

kde_chain::registers fcfs_chain::operator[](kde_index entry) const {
    const state& s = entries_[entry];
    const unsigned joined_last = (s.joins == 0 ? chains_ : s.joins) - 1;
    return {s.first_time, s.chains[s.leaves].next, s.chains[joined_last].last};
}

kde_chain::source fcfs_chain::head() const {
    const kde_index entry = fcfs_.head();
    return {entry, entries_[entry].first_time ? null_group : ahead(entry, 0)};
}

bool fcfs_chain::start(kde_index entry, std::uint32_t rank, bool stays) {
    if (!fcfs_.mark(entry, rank, stays ? 1 : 0)) return false;
    entries_[entry] = {};
    entries_[entry].first_time = true;
    return true;
}

group_index fcfs_chain::append(kde_index entry, group_index group) {
    state& s = entries_[entry];
    chain& joined = s.chains[s.joins];
    // Without groups to distribute there is nothing to link: who joined last may have ended.
    const group_index linked = joined.next == null_group ? null_group : joined.last;
    if (linked == null_group) joined.next = group;
    joined.last = group;
    s.joins = after(s.joins);
    (void)fcfs_.mark(entry);  // it may be marked already
    return linked;
}

void fcfs_chain::advance(group_index next) {
    state& s = entries_[fcfs_.head()];
    if (s.first_time) {
        s.first_time = false;
    } else {
        s.chains[s.leaves].next = next;
        s.leaves = after(s.leaves);
    }
    if (s.chains[s.leaves].next == null_group) fcfs_.unmark_head();
}

}  // namespace heddle
