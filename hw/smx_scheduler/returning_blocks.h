// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"

namespace heddle {

/// A block that has left its SMX and comes back, whichever way it takes.
struct returning_block {
    pool_ptr<protocol::block_dispatch> block;
    protocol::block_outcome left_as;  ///< suspended or preempted
};

/// The blocks that wait for their return to an SMX: of the highest priority first, and those of one
/// priority in the order in which they have come here. O(log priorities) a call.
class returning_blocks {
public:
    void add(returning_block block) {
        ++size_;
        waiting_[block.block->kernel->priority].push_back(std::move(block));
    }
    /// The block that comes back next; null: there is none.
    [[nodiscard]] const returning_block* next() const {
        return waiting_.empty() ? nullptr : &waiting_.begin()->second.front();
    }
    /// Precondition: next() is not null.
    returning_block take() {
        const auto highest = waiting_.begin();
        returning_block block = std::move(highest->second.front());
        highest->second.pop_front();
        if (highest->second.empty()) waiting_.erase(highest);
        --size_;
        return block;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

private:
    std::map<std::uint32_t, std::deque<returning_block>, std::greater<>> waiting_;
    std::size_t size_ = 0;
};

}  // namespace heddle
