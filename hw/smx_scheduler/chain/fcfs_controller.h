// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/strong_index.h"

namespace heddle {

/// First-come-first-served order of the Kernel Distributor Entries that have blocks to distribute:
/// one mark bit per entry, and the order in which they were marked, by rank. Wang et al., ISCA
/// 2015, 2.3. O(1) where all ranks are equal, no allocation after construction.
class fcfs_controller {
public:
    explicit fcfs_controller(unsigned entries);

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool marked(kde_index entry) const noexcept {
        return (marks_[entry.value() / 64] >> (entry.value() % 64) & 1) != 0;
    }
    /// The mark bits, 64 entries a word.
    [[nodiscard]] const std::uint64_t* marks() const noexcept { return marks_.data(); }
    /// The entry that was marked first; precondition: not empty.
    [[nodiscard]] kde_index head() const noexcept { return order_[first_]; }

    /// Puts an entry behind all others that do not have a lower rank; `first` ones keep their
    /// places in any case. False, and no change, if it is marked already or does not exist.
    [[nodiscard]] bool mark(kde_index entry, std::uint32_t rank = 0, std::size_t first = 0);
    /// Takes the head's mark away; precondition: not empty.
    void unmark_head();

private:
    [[nodiscard]] std::size_t place(std::size_t behind_first) const noexcept {
        const std::size_t at = first_ + behind_first;
        return at < order_.size() ? at : at - order_.size();
    }

    std::vector<kde_index> order_;  ///< ring
    strong_vector<kde_index, std::uint32_t> ranks_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
    std::vector<std::uint64_t> marks_;
};

}  // namespace heddle
