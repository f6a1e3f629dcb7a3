// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/region_allocator.h"

#include <algorithm>

namespace heddle {

region_allocator::region_allocator(std::uint32_t size) : size_(size), free_count_(size) {
    // Ranges are never adjacent, so that there are at most this many.
    free_.reserve(size / 2 + 1);
    if (size > 0) {
        free_.push_back({0, size});
    }
}

std::optional<std::uint32_t> region_allocator::allocate(std::uint32_t count, std::uint32_t limit) {
    for (auto at = free_.begin(); at != free_.end(); ++at) {
        if (at->count < count) {
            continue;
        }
        const std::uint32_t first = at->first;
        if (first + count > limit) return std::nullopt;
        at->first += count;
        at->count -= count;
        if (at->count == 0) {
            free_.erase(at);
        }
        free_count_ -= count;
        return first;
    }
    return std::nullopt;
}

std::uint32_t region_allocator::places(std::uint32_t count, std::uint32_t limit) const {
    std::uint32_t sum = 0;
    for (const range& free : free_) {
        if (free.first >= limit) break;
        sum += std::min(free.count, limit - free.first) / count;
    }
    return sum;
}

bool region_allocator::release(std::uint32_t first, std::uint32_t count) {
    if (count == 0 || first >= size_ || count > size_ - first) {
        return false;
    }
    const auto behind =
        std::lower_bound(free_.begin(), free_.end(), first,
                         [](const range& r, std::uint32_t index) { return r.first < index; });
    const bool has_before = behind != free_.begin();
    const auto before = has_before ? behind - 1 : behind;
    if ((behind != free_.end() && behind->first < first + count) ||
        (has_before && before->first + before->count > first)) {
        return false;
    }
    free_count_ += count;
    const bool joins_before = has_before && before->first + before->count == first;
    const bool joins_behind = behind != free_.end() && behind->first == first + count;
    if (joins_before) {
        before->count += count + (joins_behind ? behind->count : 0);
        if (joins_behind) {
            free_.erase(behind);
        }
    } else if (joins_behind) {
        behind->first = first;
        behind->count += count;
    } else {
        free_.insert(behind, {first, count});
    }
    return true;
}

}  // namespace heddle
