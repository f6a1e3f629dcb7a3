// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_pool.h"

#include <algorithm>

namespace heddle {

launch_pool::launch_pool(std::uint32_t bytes, std::uint32_t slices)
    : granules_(bytes / granule_bytes / slices * slices),
      slice_granules_(granules_ / slices),
      slices_(slices),
      used_((granules_ + 63) / 64),
      sealed_((granules_ + 63) / 64),
      lengths_(granules_),
      length_(reinterpret_cast<std::uint8_t*>(lengths_.data())) {
    for (std::uint32_t s = 0; s < slices; ++s) {
        slices_[s].next = s * slice_granules_;
        slices_[s].end = slices_[s].next + slice_granules_;
    }
}

std::uint32_t launch_pool::take(slice& from, unsigned count) {
    if (from.free[count].empty() && from.end - from.next >= count) {
        from.next += count;
        return from.next - count;
    }
    for (unsigned size = count; size <= most_granules; ++size) {
        if (from.free[size].empty()) continue;
        const std::uint32_t first = from.free[size].back();
        from.free[size].pop_back();
        if (size != count) from.free[size - count].push_back(first + count);
        return first;
    }
    return granules_;
}

std::uint32_t launch_pool::allocate(sm_id slice, std::uint32_t bytes) {
    if (bytes == 0 || bytes > most_bytes) return 0;
    const unsigned count = (bytes + granule_bytes - 1) / granule_bytes;
    const std::uint32_t first = take(slices_[slice.value()], count);
    if (first == granules_) return 0;
    mark(used_, first, count, true);
    length_[first] = static_cast<std::uint8_t>(count);
    used_granules_ += count;
    return first_address + first * granule_bytes;
}

std::uint32_t launch_pool::head_at(std::uint32_t address) const noexcept {
    const std::uint32_t offset = address - first_address;
    if (offset % granule_bytes != 0 || offset / granule_bytes >= granules_) return granules_;
    const std::uint32_t first = offset / granule_bytes;
    return length_[first] == 0 ? granules_ : first;
}

std::uint32_t launch_pool::bytes_at(std::uint32_t address) const noexcept {
    const std::uint32_t first = head_at(address);
    return first == granules_ ? 0 : length_[first] * granule_bytes;
}

bool launch_pool::is_open(std::uint32_t address) const noexcept {
    const std::uint32_t first = head_at(address);
    return first != granules_ && !test(sealed_, first);
}

bool launch_pool::seal(std::uint32_t address) {
    if (!is_open(address)) return false;
    const std::uint32_t first = head_at(address);
    mark(sealed_, first, length_[first], true);
    return true;
}

bool launch_pool::release(std::uint32_t address) {
    const std::uint32_t first = head_at(address);
    if (first == granules_) return false;
    const unsigned count = length_[first];
    mark(used_, first, count, false);
    mark(sealed_, first, count, false);
    length_[first] = 0;
    used_granules_ -= count;
    slices_[first / slice_granules_].free[count].push_back(first);
    return true;
}

void launch_pool::release_all() noexcept {
    if (used_granules_ == 0) return;
    for (std::uint32_t s = 0; s < slices_.size(); ++s) {
        const std::uint32_t first = s * slice_granules_;
        std::fill(length_ + first, length_ + slices_[s].next, std::uint8_t{0});
        slices_[s].next = first;
        for (auto& free : slices_[s].free) free.clear();
    }
    std::fill(used_.begin(), used_.end(), 0);
    std::fill(sealed_.begin(), sealed_.end(), 0);
    used_granules_ = 0;
}

void launch_pool::mark(std::vector<std::uint64_t>& bits, std::uint32_t first, unsigned count,
                       bool value) {
    for (std::uint32_t at = first; at != first + count; ++at) {
        const std::uint64_t bit = std::uint64_t{1} << at % 64;
        bits[at / 64] = value ? bits[at / 64] | bit : bits[at / 64] & ~bit;
    }
}

bool launch_pool::may_access(std::uint32_t address, bool write) const noexcept {
    const std::uint32_t at = (address - first_address) / granule_bytes;
    return in_window(address) && at < granules_ && test(used_, at) && !(write && test(sealed_, at));
}

}  // namespace heddle
