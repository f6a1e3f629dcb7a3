// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/group_chain.h"

#include <utility>

namespace heddle {

group_index group_chain::enter(launch_ptr group, std::uint32_t thread, std::uint32_t record) {
    if (const auto entry = table_.allocate(thread, group)) return *entry;
    ++spilled_count_;
    spilled_[record] = std::move(group);
    memory_.store_next(record, null_group);
    return group_index(record);
}

void group_chain::append(kde_index entry, launch_ptr group, std::uint32_t thread,
                         std::uint32_t record) {
    ++joined_;
    group->kde = entry;
    const group_index joined = enter(std::move(group), thread, record);
    const group_index linked = chain_.append(entry, joined);
    if (linked == null_group) return;
    if (!is_spilled(linked)) return table_.set_next(linked, joined);
    memory_.store_next(linked.value(), joined);
    if (sscr_.valid() && sscr_.group() == linked) sscr_.set_next(joined);
    // The fetch has left before this store.
    if (fetching_ == linked) late_next_ = joined;
}

bool group_chain::load(kde_index entry, group_index group) {
    if (!is_spilled(group)) {
        sscr_.load(table_.launch(group), entry, group);
        return true;
    }
    if (fetching_ == null_group) {
        fetching_ = group;
        late_next_ = null_group;
        memory_.fetch(group.value());
    }
    const auto next = memory_.fetched();
    if (!next) return false;
    fetching_ = null_group;
    const auto found = spilled_.find(group.value());
    sscr_.load(std::move(found->second), entry, group);
    sscr_.set_next(late_next_ != null_group ? late_next_ : *next);
    spilled_.erase(found);
    return true;
}

group_index group_chain::exhaust(group_index group) {
    if (is_spilled(group)) return sscr_.next();
    const group_index next = table_.next(group);
    (void)table_.exhaust(group);
    return next;
}

}  // namespace heddle
