// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/host/held_launches.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle {

bool held_launches::holds(stream_id stream) const {
    return events_.count(stream.value()) != 0 ||
           std::any_of(launches_.begin(), launches_.end(),
                       [&](const held_launch& each) { return each.stream == stream.value(); });
}

void held_launches::add(stream_id stream, launch_pointer launch) {
    held_launch held{stream.value(), {}, std::move(launch)};
    if (const auto found = events_.find(held.stream); found != events_.end()) {
        held.after = std::move(found->second);
        events_.erase(found);
    }
    launches_.push_back(std::move(held));
}

std::vector<held_launches::launch_pointer> held_launches::take(
    const std::function<bool(const std::vector<event_id>&)>& done) {
    std::vector<launch_pointer> begin;
    std::deque<held_launch> left;
    std::set<std::size_t> waiting;  // streams
    for (held_launch& each : launches_) {
        if (waiting.count(each.stream) == 0 && done(each.after)) {
            begin.push_back(std::move(each.launch));
            continue;
        }
        waiting.insert(each.stream);
        left.push_back(std::move(each));
    }
    launches_ = std::move(left);
    return begin;
}

}  // namespace heddle
