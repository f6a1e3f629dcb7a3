// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/admission.h"

namespace heddle::iss {
namespace {

std::uint64_t stream_of(const prepared_launch& launch) {
    const std::uint32_t stream = launch.shape.stream.value();
    return launch.id.by_host() ? stream : stream_key(launch.parent, launch.parent_block, stream);
}

}  // namespace

void admission::add(grid& launch) {
    launch.made = made_++;
    if (launch.launch.group) {
        ready_[rank_of(launch)] = &launch;
        return;
    }
    std::deque<grid*>& stream = streams_[stream_of(launch.launch)];
    stream.push_back(&launch);
    if (stream.size() == 1) ready_[rank_of(launch)] = &launch;
}

void admission::ended(const grid& launch) {
    if (launch.launch.group) return;
    const auto stream = streams_.find(stream_of(launch.launch));
    stream->second.pop_front();
    if (stream->second.empty()) {
        streams_.erase(stream);
    } else {
        grid* const next = stream->second.front();
        ready_[rank_of(*next)] = next;
    }
}

void admission::clear() {
    ready_.clear();
    streams_.clear();
}

}  // namespace heddle::iss
