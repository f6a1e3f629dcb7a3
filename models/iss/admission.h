// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

#include "models/iss/warp.h"

namespace heddle::iss {

/// Which launch distributes its blocks next. The launches of a stream run one after another. Among
/// those whose turn it is, the one of the highest priority comes first, then the one that was made
/// first, until it has no blocks left.
/// O(log launches) a call: nobody walks those that wait.
class admission {
public:
    /// A launch has been made. It outlives its stay.
    void add(grid& launch);
    /// The launch that distributes blocks now; null: none can.
    [[nodiscard]] grid* head() const { return ready_.empty() ? nullptr : ready_.begin()->second; }
    /// The head has distributed its last block.
    void head_exhausted() { ready_.erase(ready_.begin()); }
    /// A launch has ended, and what it waits for: the next one of its stream may run.
    void ended(const grid& launch);
    void clear();

private:
    std::uint64_t made_ = 0;
    using rank = std::pair<std::uint32_t, std::uint64_t>;  ///< the highest priority has 0
    [[nodiscard]] static rank rank_of(const grid& launch) noexcept {
        return {~launch.launch.shape.priority, launch.made};
    }

    std::map<rank, grid*> ready_;
    /// By stream, in their order; the first one may run.
    std::unordered_map<std::uint64_t, std::deque<grid*>> streams_;
};

}  // namespace heddle::iss
