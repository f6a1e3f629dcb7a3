// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/group_chain.h"

#include <algorithm>
#include <utility>

namespace heddle {

group_index group_chain::enter(launch_ptr group, std::uint32_t thread, record_address record) {
    if (const auto entry = table_.allocate(thread, group)) return group_index(*entry);
    ++spilled_count_;
    spilled_[record] = std::move(group);
    memory_.store_next(record, null_group);
    return group_index(record);
}

void group_chain::append(kde_index entry, launch_ptr group, std::uint32_t thread,
                         record_address record) {
    ++joined_;
    const group_index joined = enter(std::move(group), thread, record);
    if (hold_ == group_hold::kernel && !joined.is_spilled()) {
        held_[entry].push_back(joined.entry());
    }
    const group_index linked = chain_.append(entry, joined);
    if (linked == null_group) return;
    if (!linked.is_spilled()) return table_.set_next(linked.entry(), joined);
    memory_.store_next(linked.record(), joined);
    if (sscr_.valid() && sscr_.group() == linked) sscr_.set_next_copy(joined);
    // The fetch has left before this store.
    if (buffer* const copy = find(linked)) copy->next_copy = joined;
}

group_chain::buffer* group_chain::find(group_index group) {
    const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                    [&](const buffer& b) { return b.group == group; });
    return found == buffers_.end() ? nullptr : &*found;
}

bool group_chain::is_ahead(kde_index entry, group_index group) const {
    for (unsigned places = 0; places < chain_.chains(); ++places) {
        if (chain_.ahead(entry, places) == group) return true;
    }
    return false;
}

/// When a launch of higher priority has become the head, the records of the other entry make room;
/// they are fetched again.
group_chain::buffer* group_chain::free_buffer(kde_index head) {
    if (buffer* const unused = find(null_group)) return unused;
    const auto stale = std::find_if(buffers_.begin(), buffers_.end(), [&](const buffer& b) {
        return b.arrived && !is_ahead(head, b.group);
    });
    return stale == buffers_.end() ? nullptr : &*stale;
}

bool group_chain::fetch_ahead() {
    while (const auto come = memory_.fetched()) {
        buffer& filled = *find(group_index(come->record));
        filled.arrived = true;
        if (filled.next_copy == null_group) filled.next_copy = come->next;
    }
    if (chain_.empty()) return false;
    const kde_index head = chain_.head().kde;
    for (unsigned places = 0; places < chain_.chains(); ++places) {
        const group_index group = chain_.ahead(head, places);
        if (group == null_group) return false;
        const bool here = !group.is_spilled() || find(group) != nullptr ||
                          (sscr_.valid() && sscr_.group() == group);
        if (here) continue;
        buffer* const room = free_buffer(head);
        if (room == nullptr) return false;
        *room = {group, null_group, false};
        memory_.fetch(group.record());
        return true;
    }
    return false;
}

bool group_chain::load(kde_index entry, group_index group) {
    if (!group.is_spilled()) {
        sscr_.load(table_.launch(group.entry()), entry, group);
        return true;
    }
    buffer* const record = find(group);
    if (record == nullptr || !record->arrived) return false;
    const auto found = spilled_.find(group.record());
    sscr_.load(std::move(found->second), entry, group);
    sscr_.set_next_copy(record->next_copy);
    spilled_.erase(found);
    *record = {};
    return true;
}

bool group_chain::fetching() const noexcept {
    return std::any_of(buffers_.begin(), buffers_.end(),
                       [](const buffer& b) { return b.group != null_group && !b.arrived; });
}

group_index group_chain::exhaust(group_index group) {
    if (group.is_spilled()) return sscr_.next_copy();
    const group_index next = table_.next(group.entry());
    if (hold_ == group_hold::group) (void)table_.exhaust(group.entry());
    return next;
}

/// Until now their groups were not exhausted for the table, so that it has kept the entries.
void group_chain::kernel_over(kde_index entry) {
    const auto found = held_.find(entry);
    if (found == held_.end()) return;
    for (const agt_entry held : found->second) (void)table_.exhaust(held);
    held_.erase(found);
}

}  // namespace heddle
