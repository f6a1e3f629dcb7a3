// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle {

/// Hardware work queues: rings of equal depth, and the choice of the queue to dispatch from.
/// A queue is *stopped* from the dispatch of its head until resume(): then it is not inspected.
/// No allocation after construction; select() is O(1).
template <class Item>
class work_queues {
public:
    /// 1 to 64 queues of at least one place.
    work_queues(unsigned queues, std::size_t depth) : depth_(depth), queues_(queues) {
        for (queue& q : queues_) {
            q.ring.resize(depth);
        }
    }

    [[nodiscard]] unsigned count() const noexcept { return static_cast<unsigned>(queues_.size()); }
    [[nodiscard]] std::size_t depth() const noexcept { return depth_; }
    [[nodiscard]] std::size_t size(unsigned queue) const { return queues_[queue].size; }
    [[nodiscard]] bool full(unsigned queue) const { return queues_[queue].size == depth_; }
    [[nodiscard]] bool stopped(unsigned queue) const { return (stopped_ & bit(queue)) != 0; }
    /// All queues are empty and none is stopped.
    [[nodiscard]] bool idle() const noexcept { return (waiting_ | stopped_) == 0; }
    /// A queue could be selected.
    [[nodiscard]] bool ready() const noexcept { return (waiting_ & ~stopped_) != 0; }
    /// The oldest item; precondition: size(queue) > 0.
    [[nodiscard]] const Item& head(unsigned queue) const {
        return queues_[queue].ring[queues_[queue].first];
    }

    /// Precondition: not full.
    void push(unsigned queue, Item item) {
        auto& q = queues_[queue];
        const std::size_t at = q.first + q.size++;
        q.ring[at < depth_ ? at : at - depth_] = std::move(item);
        waiting_ |= bit(queue);
    }
    /// The next queue, in turn after the one that was selected last, that has an item and is not
    /// stopped. Precondition: ready().
    [[nodiscard]] unsigned select() const {
        const std::uint64_t ready = waiting_ & ~stopped_;
        const std::uint64_t later = ready & ~((bit(last_) << 1) - 1);
        return static_cast<unsigned>(__builtin_ctzll(later != 0 ? later : ready));
    }
    /// Takes the head of a queue and stops the queue. Precondition: it has one.
    Item dispatch(unsigned queue) {
        auto& q = queues_[queue];
        Item item = std::move(q.ring[q.first]);
        q.ring[q.first] = Item();
        q.first = q.first + 1 == depth_ ? 0 : q.first + 1;
        if (--q.size == 0) {
            waiting_ &= ~bit(queue);
        }
        stopped_ |= bit(queue);
        last_ = queue;
        return item;
    }
    /// The kernel of a stopped queue has completed: its next one may go.
    void resume(unsigned queue) { stopped_ &= ~bit(queue); }

private:
    struct queue {
        std::vector<Item> ring;
        std::size_t first = 0;
        std::size_t size = 0;
    };
    static constexpr std::uint64_t bit(unsigned queue) noexcept {
        return std::uint64_t{1} << queue;
    }

    std::size_t depth_;
    std::vector<queue> queues_;
    std::uint64_t waiting_ = 0;  ///< queues with an item
    std::uint64_t stopped_ = 0;
    unsigned last_ = 63;  ///< so that the first turn is queue 0's
};

}  // namespace heddle
