// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

/// Hands out contiguous ranges of the indices 0 ... size - 1, first fit: the lowest place that is
/// large enough. O(free ranges) a call; no allocation after construction.
class region_allocator {
public:
    explicit region_allocator(std::uint32_t size);

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint32_t free_count() const noexcept { return free_count_; }
    [[nodiscard]] std::size_t free_ranges() const noexcept { return free_.size(); }

    /// First index of `count` (> 0) contiguous ones below `limit`; null if there is no such range.
    std::optional<std::uint32_t> allocate(std::uint32_t count, std::uint32_t limit = ~0U);
    /// How often allocate() would find a range.
    [[nodiscard]] std::uint32_t places(std::uint32_t count, std::uint32_t limit = ~0U) const;
    /// Gives back what allocate() has handed out. False, and no change, if part of the range is
    /// free already or lies outside.
    [[nodiscard]] bool release(std::uint32_t first, std::uint32_t count);

private:
    struct range {
        std::uint32_t first, count;
    };

    std::uint32_t size_;
    std::uint32_t free_count_;
    std::vector<range> free_;  ///< ascending, never adjacent
};

}  // namespace heddle
