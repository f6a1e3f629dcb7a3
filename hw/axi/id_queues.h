// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/free_list.h"

namespace heddle::axi {

/// A first-in first-out queue for each ID, over entries that all queues share: the transactions
/// under way, which are answered in their order within an ID. No allocation after construction.
template <class T>
class id_queues {
public:
    id_queues(std::size_t ids, std::size_t capacity)
        : heads_(ids), entries_(capacity), free_(capacity) {}

    [[nodiscard]] std::size_t ids() const noexcept { return heads_.size(); }
    [[nodiscard]] bool full() const noexcept { return free_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// False also for an ID that there is not.
    [[nodiscard]] bool has(std::uint32_t id) const noexcept {
        return id < heads_.size() && heads_[id].first != none;
    }

    /// Call only if not full().
    T& push(std::uint32_t id, T item) {
        const index at = free_.take();
        entries_[at] = {std::move(item), none};
        head& queue = heads_[id];
        (queue.first == none ? queue.first : entries_[queue.last].next) = at;
        queue.last = at;
        ++size_;
        return entries_[at].item;
    }
    /// Call front() and pop() only if has().
    [[nodiscard]] T& front(std::uint32_t id) { return entries_[heads_[id].first].item; }
    T pop(std::uint32_t id) {
        head& queue = heads_[id];
        const index at = queue.first;
        queue.first = entries_[at].next;
        free_.give_back(at);
        --size_;
        return std::move(entries_[at].item);
    }
    /// f(item) for each of an ID, the oldest first.
    template <class Function>
    void for_each(std::uint32_t id, Function&& f) {
        for (index at = heads_[id].first; at != none; at = entries_[at].next) f(entries_[at].item);
    }

private:
    using index = std::uint32_t;
    static constexpr index none = ~index{0};
    struct head {
        index first = none, last = none;
    };
    struct entry {
        T item{};
        index next = none;
    };

    std::vector<head> heads_;
    std::vector<entry> entries_;
    free_list<index> free_;
    std::size_t size_ = 0;
};

}  // namespace heddle::axi
