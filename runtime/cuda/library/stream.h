// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

/// A launch that the device has been told of.
struct heddle_cuda_launch {
    std::uint64_t number = 0;
    std::uint32_t stream = 0;  ///< of the device
    bool open = true;          ///< it may not have ended
    std::uint64_t ended = 0;   ///< time of the device
};

namespace heddle::cuda {

using launch_set = std::vector<std::shared_ptr<heddle_cuda_launch>>;

inline void add(launch_set& into, const launch_set& more) {
    for (const auto& each : more) {
        if (std::find(into.begin(), into.end(), each) == into.end()) into.push_back(each);
    }
}

inline bool any_open(const launch_set& launches) {
    return std::any_of(launches.begin(), launches.end(), [](const auto& l) { return l->open; });
}

}  // namespace heddle::cuda

/// What cudaStream_t points to.
struct CUstream_st {
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t id = 0;
    std::optional<std::uint32_t> number;  ///< of the device; none: it has had no launch
    /// When all of these have ended, all that the device has been told of this stream has.
    heddle::cuda::launch_set tail;
};

/// One record of an event.
struct heddle_cuda_record {
    bool begun = false;              ///< the device has come to it
    heddle::cuda::launch_set waits;  ///< for these
    std::uint64_t begin = 0;         ///< when the device came to it

    [[nodiscard]] bool happened() const { return begun && !heddle::cuda::any_open(waits); }
    [[nodiscard]] std::uint64_t time() const {
        std::uint64_t latest = begin;
        for (const auto& each : waits) latest = std::max(latest, each->ended);
        return latest;
    }
};

/// What cudaEvent_t points to.
struct CUevent_st {
    unsigned flags = 0;
    std::shared_ptr<heddle_cuda_record> last;  ///< null: never recorded
};
