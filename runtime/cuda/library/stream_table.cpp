// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/stream_table.h"

#include <algorithm>

namespace heddle::cuda {

cudaStream_t stream_table::add(unsigned flags, int priority) {
    const auto made = std::make_shared<CUstream_st>();
    made->flags = flags;
    made->priority = priority;
    made->id = ++made_;
    streams_[made.get()] = made;
    return made.get();
}

stream_ptr stream_table::find(cudaStream_t handle) const {
    if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
        return default_;
    }
    const auto found = streams_.find(handle);
    require(found != streams_.end(), cudaErrorInvalidResourceHandle);
    return found->second;
}

void stream_table::remove(const stream_ptr& gone) {
    require(gone != default_, cudaErrorInvalidResourceHandle);
    if ((gone->flags & cudaStreamNonBlocking) == 0) heddle::cuda::add(default_->tail, gone->tail);
    if (gone->number) free_numbers_.insert(*gone->number);
    streams_.erase(gone.get());
}

std::optional<std::uint32_t> stream_table::take_free_number() {
    if (free_numbers_.empty()) return std::nullopt;
    const std::uint32_t number = *free_numbers_.begin();
    free_numbers_.erase(free_numbers_.begin());
    return number;
}

launch_set stream_table::before(const CUstream_st& in) const {
    launch_set all = in.tail;
    if (&in == default_.get()) {
        for (const auto& [handle, stream] : streams_) {
            if ((stream->flags & cudaStreamNonBlocking) == 0) heddle::cuda::add(all, stream->tail);
        }
    } else if ((in.flags & cudaStreamNonBlocking) == 0) {
        heddle::cuda::add(all, default_->tail);
    }
    all.erase(std::remove_if(all.begin(), all.end(), [](const auto& l) { return !l->open; }),
              all.end());
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a->number < b->number; });
    return all;
}

}  // namespace heddle::cuda
