// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

/// A first-in first-out queue of fixed capacity. No allocation after construction.
template <class T>
class ring {
public:
    explicit ring(std::size_t capacity = 0) : items_(capacity) {}

    [[nodiscard]] std::size_t capacity() const noexcept { return items_.size(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] bool full() const noexcept { return size_ == items_.size(); }

    /// Call only if not full().
    void push(T item) {
        const std::size_t at = first_ + size_++;
        items_[at < items_.size() ? at : at - items_.size()] = std::move(item);
    }
    /// Call front() and pop() only if not empty().
    [[nodiscard]] T& front() { return items_[first_]; }
    [[nodiscard]] const T& front() const { return items_[first_]; }
    T pop() {
        T item = std::move(items_[first_]);
        // empty: start again at the same items, which are in the host's cache
        first_ = --size_ == 0 || first_ + 1 == items_.size() ? 0 : first_ + 1;
        return item;
    }

private:
    std::vector<T> items_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace heddle
