// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/due_times.h"

#include <algorithm>

namespace heddle {

void due_times::resize(std::size_t parts) {
    words_ = (parts + 63) / 64;
    std::fill(std::begin(used_), std::end(used_), 0);
    wheel_.assign(horizon * words_, 0);
    far_.clear();
    far_.reserve(2 * parts);
    last_far_.assign(parts, never);
}

void due_times::add_far(std::uint32_t part, std::uint64_t edge) {
    if (last_far_[part] == edge) {
        return;
    }
    last_far_[part] = edge;
    far_.push_back({edge, part});
    std::push_heap(far_.begin(), far_.end(),
                   [](const far_entry& a, const far_entry& b) { return a.edge > b.edge; });
}

std::uint64_t due_times::next_after(std::uint64_t edge) const {
    std::uint64_t due = far_.empty() ? never : far_.front().edge;
    const std::uint64_t first = (edge + 1) % horizon;
    // Rotating through the words from the first slot on visits the slots in the order of time;
    // the first word is visited twice, its lower bits last.
    for (std::uint64_t step = 0; step <= slot_words; ++step) {
        const std::uint64_t word = (first / 64 + step) % slot_words;
        std::uint64_t bits = used_[word];
        if (step == 0) {
            bits &= ~std::uint64_t{0} << (first % 64);
        }
        if (step == slot_words) {
            bits &= ~(~std::uint64_t{0} << (first % 64));
        }
        if (bits != 0) {
            const std::uint64_t slot =
                word * 64 + static_cast<std::uint64_t>(__builtin_ctzll(bits));
            due = std::min(due, edge + 1 + (slot + horizon - first) % horizon);
            break;
        }
    }
    return due;
}

void due_times::take_slot(std::uint64_t edge, std::uint64_t* mask) {
    const std::uint64_t slot = edge % horizon;
    std::uint64_t* members = &wheel_[slot * words_];
    for (std::size_t word = 0; word < words_; ++word) {
        mask[word] |= members[word];
        members[word] = 0;
    }
    used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
}

void due_times::take_far(std::uint64_t* mask) {
    const far_entry first = far_.front();
    mask[first.part / 64] |= std::uint64_t{1} << (first.part % 64);
    if (last_far_[first.part] == first.edge) {
        last_far_[first.part] = never;
    }
    std::pop_heap(far_.begin(), far_.end(),
                  [](const far_entry& a, const far_entry& b) { return a.edge > b.edge; });
    far_.pop_back();
}

}  // namespace heddle
