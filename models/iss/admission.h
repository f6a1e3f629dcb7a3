// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>

#include "models/iss/warp.h"

namespace heddle::iss {

/// Which launch distributes its blocks next. The launches of a stream run one after another. Among
/// those whose turn it is, the one that was made first comes first, until it has no blocks left.
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
    std::map<std::uint64_t, grid*> ready_;  ///< in the order in which they were made
    /// By stream, in their order; the first one may run.
    std::unordered_map<std::uint64_t, std::deque<grid*>> streams_;
};

}  // namespace heddle::iss
