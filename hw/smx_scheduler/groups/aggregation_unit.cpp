// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/aggregation_unit.h"

#include <utility>

namespace heddle {

bool aggregation_unit::cycle() {
    if (idle()) return false;
    if (append_.command) append();
    if (!search_.command && !waiting_.empty()) begin_search();
    if (search_.command) search();
    return true;
}

void aggregation_unit::begin_search() {
    search_ = {};
    search_.command = std::move(waiting_.front());
    waiting_.pop_front();
    search_.found.fill(protocol::no_kde);
    search_.overlapped = search_.command->overlapped;
    const std::uint64_t number = ++commands_;
    running_[number] = {search_.command, search_.command->count};
    for (std::uint32_t i = 0; i < search_.command->count; ++i) {
        command_of_[search_.command->groups[i].launch->launch] = number;
    }
}

void aggregation_unit::search() {
    stage& s = search_;
    const auto over = [&] { return s.at == kernels_.size() || s.matched == s.command->count; };
    if (!over()) look_at(kde_index(s.at++));
    for (; !over() && s.overlapped != 0; --s.overlapped) look_at(kde_index(s.at++));
    if (!over() || append_.command) return;
    append_ = std::move(search_);
    append_.at = 0;
    search_ = {};
}

void aggregation_unit::look_at(kde_index entry) {
    stage& s = search_;
    for (std::uint32_t i = 0; i < s.command->count; ++i) {
        if (s.found[i] != protocol::no_kde) continue;
        if (!kernels_.eligible(entry, *s.command->groups[i].launch)) continue;
        s.found[i] = entry;
        ++s.matched;
        if (kernels_.pin(entry)) listener_.held(entry);
    }
}

void aggregation_unit::append() {
    stage& s = append_;
    append_next();
    for (; s.at != s.command->count && s.overlapped != 0; --s.overlapped) append_next();
    if (s.at != s.command->count) return;
    listener_.accepted(*s.command);
    s = {};
}

void aggregation_unit::append_next() {
    stage& s = append_;
    const protocol::aggregated_group& group = s.command->groups[s.at];
    if (const kde_index entry = s.found[s.at]; entry != protocol::no_kde) {
        groups_.append(entry, group.launch, group.thread, group.record);
        kernels_.unpin(entry);
        listener_.joined(group.launch, entry);
    } else {
        ++refused_;
        listener_.refused(group.launch);
    }
    ++s.at;
}

void aggregation_unit::launch_ended(launch_id launch) {
    const auto number = command_of_.find(launch);
    if (number == command_of_.end()) return;
    const auto found = running_.find(number->second);
    command_of_.erase(number);
    if (--found->second.open != 0) return;
    const command_ptr command = std::move(found->second.command);
    running_.erase(found);
    listener_.completed(*command);
}

}  // namespace heddle
