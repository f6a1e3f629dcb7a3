// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/smx/thread_pool/issue_filter.h"
#include "models/base/bits.h"
#include "models/base/free_list.h"

namespace heddle {

/// What waits in a former, in a queue for each need of a next instruction: no pick looks at those
/// whose unit takes nothing. Allocates nothing once it has grown to its largest load.
template <class Item>
class need_queues {
public:
    static constexpr std::size_t needs = needs_constants + 1;

    /// Comes behind all others.
    void add(issue_need need, const Item& item) {
        if (free_.empty()) {
            free_.give_back(static_cast<std::uint32_t>(entries_.size()));
            entries_.emplace_back();
        }
        const std::uint32_t index = free_.take();
        entries_[index] = {arrivals_++, none, item};
        queue& to = queues_[need];
        if ((present_ >> need & 1U) != 0) {
            entries_[to.last].next = index;
        } else {
            to.first = index;
            present_ |= 1U << need;
        }
        to.last = index;
        ++size_;
    }

    [[nodiscard]] unsigned size() const noexcept { return size_; }
    /// A bit for each need with something that waits.
    [[nodiscard]] std::uint32_t present() const noexcept { return present_; }
    /// Of some needs that are present, the one whose first item came before the others'.
    [[nodiscard]] unsigned oldest(std::uint32_t some) const noexcept {
        unsigned found = bits::first(some);
        for (std::uint32_t left = some & (some - 1); left != 0; left &= left - 1) {
            const unsigned need = bits::first(left);
            if (first_of(need).order < first_of(found).order) found = need;
        }
        return found;
    }
    /// Of a need that is present.
    [[nodiscard]] const Item& first(unsigned need) const noexcept { return first_of(need).item; }
    void remove_first(unsigned need) {
        queue& from = queues_[need];
        const std::uint32_t index = from.first;
        from.first = entries_[index].next;
        if (from.first == none) present_ &= ~(1U << need);
        free_.give_back(index);
        --size_;
    }

private:
    static constexpr std::uint32_t none = ~0U;

    struct entry {
        std::uint64_t order = 0;  ///< of arrival
        std::uint32_t next = none;
        Item item;
    };
    struct queue {
        std::uint32_t first = none, last = none;
    };

    [[nodiscard]] const entry& first_of(unsigned need) const noexcept {
        return entries_[queues_[need].first];
    }

    std::vector<entry> entries_;
    free_list<std::uint32_t> free_;
    std::array<queue, needs> queues_{};
    std::uint32_t present_ = 0;
    std::uint64_t arrivals_ = 0;
    unsigned size_ = 0;
};

}  // namespace heddle
