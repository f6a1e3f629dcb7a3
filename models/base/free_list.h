// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

/// The free places of a table, by their index. The place that was given back last is taken first;
/// at first the lowest. Allocates nothing unless more places are given back than there were at
/// first: a table that grows begins with 0.
template <class Index>
class free_list {
public:
    explicit free_list(std::size_t places = 0) {
        free_.reserve(places);
        for (std::size_t at = places; at-- > 0;) free_.push_back(static_cast<Index>(at));
    }

    [[nodiscard]] bool empty() const noexcept { return free_.empty(); }
    /// Precondition: not empty().
    [[nodiscard]] Index take() noexcept {
        const Index at = free_.back();
        free_.pop_back();
        return at;
    }
    void give_back(Index at) { free_.push_back(at); }

private:
    std::vector<Index> free_;
};

}  // namespace heddle
