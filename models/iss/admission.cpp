// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/admission.h"

namespace heddle::iss {
namespace {

/// No two streams have the same: the host's, those that kernels create, and stream 0 of each block.
std::uint64_t stream_of(const prepared_launch& launch) {
    constexpr std::uint64_t of_block = std::uint64_t{1} << 63;
    constexpr std::uint64_t of_kernel = std::uint64_t{1} << 32;
    const std::uint64_t stream = launch.shape.stream.value();
    if (launch.id.by_host()) return stream;
    if (stream != 0) return of_kernel | stream;
    // Launch ids of kernels' launches and of the host's leave the top bit free.
    return of_block | std::uint64_t{launch.parent.value()} << 31 | launch.parent_block;
}

}  // namespace

void admission::add(grid& launch) {
    launch.made = made_++;
    if (launch.launch.group) {
        ready_[launch.made] = &launch;
        return;
    }
    std::deque<grid*>& stream = streams_[stream_of(launch.launch)];
    stream.push_back(&launch);
    if (stream.size() == 1) ready_[launch.made] = &launch;
}

void admission::ended(const grid& launch) {
    if (launch.launch.group) return;
    const auto stream = streams_.find(stream_of(launch.launch));
    stream->second.pop_front();
    if (stream->second.empty()) {
        streams_.erase(stream);
    } else {
        grid* const next = stream->second.front();
        ready_[next->made] = next;
    }
}

void admission::clear() {
    ready_.clear();
    streams_.clear();
}

}  // namespace heddle::iss
