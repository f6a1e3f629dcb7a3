// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/kde_chain.h"

namespace heddle {

kde_chain::source kde_chain::head() const {
    const kde_index entry = fcfs_.head();
    const registers& r = entries_[entry];
    return {entry, r.first_time ? null_group : r.next_group};
}

bool kde_chain::start(kde_index entry, std::uint32_t rank, bool stays) {
    if (!fcfs_.mark(entry, rank, stays ? 1 : 0)) return false;
    entries_[entry] = {true, null_group, null_group};
    return true;
}

group_index kde_chain::append(kde_index entry, group_index group) {
    registers& r = entries_[entry];
    // Without groups to distribute there is nothing to link: who joined last may have ended.
    const group_index linked = r.next_group == null_group ? null_group : r.last_group;
    if (linked == null_group) r.next_group = group;
    r.last_group = group;
    (void)fcfs_.mark(entry);  // it may be marked already
    return linked;
}

void kde_chain::advance(group_index next) {
    registers& r = entries_[fcfs_.head()];
    if (r.first_time) {
        r.first_time = false;
    } else {
        r.next_group = next;
    }
    if (r.next_group == null_group) fcfs_.unmark_head();
}

}  // namespace heddle
