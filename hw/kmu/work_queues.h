// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/base/ring.h"
#include "models/base/bits.h"

namespace heddle {

/// Hardware work queues of equal depth.
/// A queue is *stopped* from the dispatch of its head until resume(): then it is not inspected.
/// No allocation after construction.
template <class Item>
class work_queues {
public:
    /// 1 to 64 queues of at least one place.
    work_queues(unsigned queues, std::size_t depth) : depth_(depth), queues_(queues) {
        for (ring<Item>& each : queues_) each = ring<Item>(depth);
    }

    [[nodiscard]] unsigned count() const noexcept { return static_cast<unsigned>(queues_.size()); }
    [[nodiscard]] std::size_t depth() const noexcept { return depth_; }
    [[nodiscard]] std::size_t size(unsigned queue) const { return queues_[queue].size(); }
    [[nodiscard]] bool full(unsigned queue) const { return queues_[queue].full(); }
    [[nodiscard]] bool stopped(unsigned queue) const { return (stopped_ & bits::one(queue)) != 0; }
    /// All queues are empty and none is stopped.
    [[nodiscard]] bool idle() const noexcept { return (waiting_ | stopped_) == 0; }
    /// Queues that have an item and are not stopped, a bit each.
    [[nodiscard]] std::uint64_t ready() const noexcept { return waiting_ & ~stopped_; }
    /// The oldest item; precondition: size(queue) > 0.
    [[nodiscard]] const Item& head(unsigned queue) const { return queues_[queue].front(); }

    /// Precondition: not full.
    void push(unsigned queue, Item item) {
        queues_[queue].push(std::move(item));
        waiting_ |= bits::one(queue);
    }
    /// Takes the head of a queue and stops the queue. Precondition: it has one.
    Item dispatch(unsigned queue) {
        Item item = queues_[queue].pop();
        if (queues_[queue].empty()) waiting_ &= ~bits::one(queue);
        stopped_ |= bits::one(queue);
        return item;
    }
    /// The kernel of a stopped queue has completed: its next one may go.
    void resume(unsigned queue) { stopped_ &= ~bits::one(queue); }

private:
    std::size_t depth_;
    std::vector<ring<Item>> queues_;
    std::uint64_t waiting_ = 0;  ///< queues with an item
    std::uint64_t stopped_ = 0;
};

}  // namespace heddle
