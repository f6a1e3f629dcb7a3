// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include "hw/base/pool.h"
#include "hw/protocol/launched_block.h"
#include "models/base/statistics.h"

namespace heddle {

/// Scope "launch.suspended", of runs in which a block has been suspended.
inline constexpr statistic_declaration suspended_block_statistics[] = {
    {"blocks", "block",
     "Times that a block left its SMX because all its warps waited for launches of the block"},
    {"peak", "block", "Most blocks that were suspended at the same time"},
    {"bytes", "byte", "State of suspended blocks that was written to memory, in all"},
};

/// The blocks without an SMX: those that wait for launches that they have made, and those whose
/// children have ended, first come, first served. O(1) a call, however many there are.
class suspended_blocks {
public:
    /// `ready`: its children have ended already.
    void add(protocol::launched_block block, bool ready) {
        peak_ = std::max(peak_, ++size_);
        ++count_;
        bytes_ += block.saved.bytes;
        if (ready) {
            ready_.push_back(std::move(block));
        } else {
            waiting_.emplace(key_of(block.launch, block.block), std::move(block));
        }
    }
    /// All children of a block have ended; nothing happens if the block is not here.
    void children_ended(launch_id launch, std::uint32_t block) {
        const auto found = waiting_.find(key_of(launch, block));
        if (found == waiting_.end()) return;
        ready_.push_back(std::move(found->second));
        waiting_.erase(found);
    }
    [[nodiscard]] bool ready() const noexcept { return !ready_.empty(); }
    /// The block that comes back next. Precondition: ready().
    [[nodiscard]] protocol::launched_block take() {
        protocol::launched_block next = std::move(ready_.front());
        ready_.pop_front();
        --size_;
        return next;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Largest size so far.
    [[nodiscard]] std::size_t peak() const noexcept { return peak_; }
    /// Blocks that have come so far, each time.
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// Bytes of their states.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    [[nodiscard]] static std::uint64_t key_of(launch_id launch, std::uint32_t block) noexcept {
        return std::uint64_t{launch.value()} << 32 | block;
    }

    std::unordered_map<std::uint64_t, protocol::launched_block> waiting_;
    std::deque<protocol::launched_block> ready_;
    std::size_t size_ = 0;
    std::size_t peak_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace heddle
