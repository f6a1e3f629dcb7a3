// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// Items that fall due one after another: pipelines whose latency seldom changes. Pushing one
/// that is due before others passes them one by one; of those due together the first comes first.
/// Grows to the most that were under way at once, then allocates nothing.
template <class Item>
class due_ring {
public:
    void push(std::uint64_t due, Item item) {
        if (count_ == slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = first_ + count_++;
        for (; at != first_ && slots_[(at - 1) & mask].due > due; --at) {
            slots_[at & mask] = slots_[(at - 1) & mask];
        }
        slots_[at & mask] = {due, item};
    }
    [[nodiscard]] bool due(std::uint64_t edge) const noexcept {
        return count_ != 0 && slots_[first_].due <= edge;
    }
    Item pop() noexcept {
        const Item item = slots_[first_].item;
        first_ = (first_ + 1) & (slots_.size() - 1);
        --count_;
        return item;
    }
    /// Of the first; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept {
        return count_ == 0 ? ~std::uint64_t{0} : slots_[first_].due;
    }

private:
    struct entry {
        std::uint64_t due = 0;
        Item item{};
    };
    void grow() {
        std::vector<entry> larger(slots_.empty() ? 16 : 2 * slots_.size());
        for (std::size_t i = 0; i < count_; ++i) {
            larger[i] = slots_[(first_ + i) & (slots_.size() - 1)];
        }
        slots_.swap(larger);
        first_ = 0;
    }

    std::vector<entry> slots_;  ///< a power of two
    std::size_t first_ = 0;
    std::size_t count_ = 0;
};

}  // namespace heddle
