// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/crew.h"

namespace heddle {

/// The inbox of a clocked part: other parts write to it when they call the part.
///
/// push() stamps the item with the edge at which it may be seen, and wakes the owner for this edge.
/// With a latency of 1 that is the first edge of the owner's domain strictly after now (blocked at
/// t - 1, ready at t). The sender may be in any domain, or be any SystemC process. Items are seen
/// in the order of their due edges, and within one edge in the order of the calls. So an inbox has
/// one sender, or the order of its items does not matter; otherwise results would depend on the
/// order of modules. A bounded ring: the sender checks full() or holds a credit. No allocation
/// after construction.
template <class T>
class inbox {
public:
    inbox(clocked& owner, std::size_t capacity)
        : owner_(&owner), capacity_(capacity), ring_(capacity) {}

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// Items that were pushed and not yet popped, due or not.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }

    /// `latency` edges of the owner's domain, at least 1. Returns false, and drops the item, if
    /// the inbox is full: the sender has broken its credit rule. While a crew shares the edge, the
    /// item comes at its end, and the crew reports a full inbox.
    [[nodiscard]] bool push(T item, std::uint64_t latency = 1) {
        const std::uint64_t due = owner_->domain().next_edge() + (latency - 1);
        if (crew::sharing()) {
            crew::stage(*this, *owner_, due, std::move(item));
            return true;
        }
        if (full()) return false;
        put(due, std::move(item));
        if (latency <= 1) {
            owner_->wake();
        } else {
            owner_->wake_at(due);
        }
        return true;
    }
    /// For a crew: an item that was pushed while the crew shared the edge.
    bool insert(std::uint64_t due, T item) {
        if (full()) return false;
        put(due, std::move(item));
        owner_->wake_at(due);
        return true;
    }

    /// For the owner's evaluate(): the first item that is due, or null.
    [[nodiscard]] T* ready() { return size_ != 0 ? ready(owner_->domain().edge()) : nullptr; }
    /// The same for who knows the owner's edge.
    [[nodiscard]] T* ready(std::uint64_t edge) {
#ifdef HEDDLE_CHECK_LANES
        crew::check_lane(*owner_);
#endif
        return size_ != 0 && ring_[first_].due <= edge ? &ring_[first_].item : nullptr;
    }
    /// Takes the item that ready() has shown.
    T pop() {
        T item = std::move(ring_[first_].item);
        // empty: start again at the same entries, which are in the host's cache
        first_ = --size_ == 0 || first_ + 1 == capacity_ ? 0 : first_ + 1;
        return item;
    }
    /// The first item, due or not; call only if not empty.
    [[nodiscard]] const T& front() const {
        return ring_[first_].item;
    }
    /// The one behind it, or null.
    [[nodiscard]] const T* second() const {
        if (size_ < 2) return nullptr;
        return &ring_[first_ + 1 == capacity_ ? 0 : first_ + 1].item;
    }
    /// Edge at which the first item may be seen; call only if not empty.
    [[nodiscard]] std::uint64_t first_due() const {
        return ring_[first_].due;
    }

private:
    struct entry {
        std::uint64_t due = 0;
        T item{};
    };
    void put(std::uint64_t due, T item) {
        std::size_t at = size_++;
        for (; at > 0 && slot(at - 1).due > due; --at) {
            slot(at) = std::move(slot(at - 1));
        }
        entry& to = slot(at);
        to.due = due;
        to.item = std::move(item);
    }
    entry& slot(std::size_t offset) {
        const std::size_t at = first_ + offset;
        return ring_[at < capacity_ ? at : at - capacity_];
    }

    clocked* owner_;
    std::size_t capacity_;
    std::vector<entry> ring_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace heddle
