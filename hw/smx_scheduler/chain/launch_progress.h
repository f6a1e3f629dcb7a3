// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "models/base/strong_index.h"
#include "models/device/launch_id.h"

namespace heddle {

/// How far launches are, from their begin to the end of their last block: kernels, groups, and
/// cooperative launches, whose blocks become more. Owner of these facts. O(1) a call.
class launch_progress {
public:
    struct state {
        kde_index kde;               ///< entry that the launch has joined
        std::uint32_t left = 0;      ///< blocks that have not ended
        bool started = false;        ///< a warp of it could issue
        bool any_suspended = false;  ///< a block has left its SMX to wait for its children
    };

    /// A launch begins with so many blocks.
    void begin(launch_id launch, kde_index kde, std::uint32_t blocks) {
        launches_[launch] = {kde, blocks};
    }
    /// It has begun and has not ended.
    [[nodiscard]] bool knows(launch_id launch) const { return launches_.count(launch) != 0; }
    // Of a launch that is known:
    [[nodiscard]] kde_index entry(launch_id launch) const { return launches_.at(launch).kde; }
    /// So many more blocks start.
    void fork(launch_id launch, std::uint32_t blocks) { launches_.at(launch).left += blocks; }
    void suspended(launch_id launch) { launches_.at(launch).any_suspended = true; }
    /// A warp of a block can issue. True: the first one of the launch.
    [[nodiscard]] bool starts(launch_id launch) {
        const auto found = launches_.find(launch);
        return found != launches_.end() && !std::exchange(found->second.started, true);
    }
    /// A block has ended. The state of the launch if it was the last one.
    [[nodiscard]] std::optional<state> block_ended(launch_id launch) {
        const auto found = launches_.find(launch);
        if (--found->second.left != 0) return std::nullopt;
        const state over = found->second;
        launches_.erase(found);
        return over;
    }

private:
    std::unordered_map<launch_id, state> launches_;
};

}  // namespace heddle
