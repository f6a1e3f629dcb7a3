// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/allocation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/base/error.h"
#include "models/base/round_up.h"

namespace heddle {

std::uint32_t allocation_table::allocate(std::uint64_t bytes, std::string_view name) {
    // A range takes at least one aligned unit, so that every allocation has an address of its own.
    // More than the heap counts as the whole of it and a byte, which keeps the sums below exact.
    const std::uint64_t asked = std::min<std::uint64_t>(bytes, std::uint64_t{size_} + 1);
    const std::uint64_t wanted = std::max<std::uint64_t>(round_up(asked, alignment), alignment);
    const std::uint64_t end = std::uint64_t{first_} + size_;
    std::uint64_t at = full_below_;
    std::uint64_t largest = 0;
    for (auto next = ranges_.lower_bound(static_cast<std::uint32_t>(at));; ++next) {
        const std::uint64_t limit =
            next == ranges_.end() ? end : std::min<std::uint64_t>(next->first, end);
        if (limit >= at + wanted) break;
        if (limit > at) largest = std::max(largest, limit - at);
        if (next == ranges_.end()) {
            throw configuration_error(fmt::format(
                "device memory: no room for '{}' of {} bytes; the largest free range has {} of {} "
                "bytes",
                name, bytes, largest, size_));
        }
        const allocation& range = next->second;
        const bool full = limit < at + alignment && full_below_ == at;
        at = round_up(std::uint64_t{range.address} + std::max(range.size, 1u), alignment);
        if (full) full_below_ = std::min(at, end);
    }
    if (full_below_ == at) full_below_ += wanted;
    const auto address = static_cast<std::uint32_t>(at);
    ranges_[address] = {address, static_cast<std::uint32_t>(bytes), true, std::string(name), false};
    ++version_;
    return address;
}

void allocation_table::check_release(std::uint32_t address) const {
    const auto range = ranges_.find(address);
    if (range != ranges_.end() && !range->second.placed) return;
    throw configuration_error(
        fmt::format("device memory: release of 0x{:08x}, which is no allocation; it is {}", address,
                    describe_nearest(address)));
}

void allocation_table::release(std::uint32_t address) {
    check_release(address);
    remove(address);
}

void allocation_table::remove(std::uint32_t address) noexcept {
    ranges_.erase(address);
    full_below_ = std::max<std::uint64_t>(
        round_up(first_, alignment),
        std::min<std::uint64_t>(full_below_, address / alignment * alignment));
    ++version_;
}

void allocation_table::place(allocation range) {
    range.placed = true;
    const std::uint32_t address = range.address;
    ranges_[address] = std::move(range);
    ++version_;
}

const allocation* allocation_table::find(std::uint32_t address, std::uint64_t bytes) const {
    auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return nullptr;
    const allocation& range = std::prev(after)->second;
    return range.contains(address, bytes) ? &range : nullptr;
}

std::optional<std::uint32_t> allocation_table::find_hole(std::uint32_t first, std::uint32_t size,
                                                         std::uint32_t bytes,
                                                         std::uint32_t alignment) const {
    const std::uint64_t end = std::uint64_t{first} + size;
    for (std::uint64_t at = round_up(first, alignment); at + bytes <= end;) {
        const allocation* const taken = overlapping(at, std::max(bytes, 1u));
        if (taken == nullptr) return static_cast<std::uint32_t>(at);
        at = round_up(std::uint64_t{taken->address} + std::max(taken->size, 1u), alignment);
    }
    return std::nullopt;
}

const allocation* allocation_table::overlapping(std::uint64_t address, std::uint64_t bytes) const {
    auto range = ranges_.lower_bound(static_cast<std::uint32_t>(address));
    if (range != ranges_.end() && range->first < address + bytes) return &range->second;
    if (range == ranges_.begin()) return nullptr;
    const allocation& before = std::prev(range)->second;
    return std::uint64_t{before.address} + before.size > address ? &before : nullptr;
}

std::string allocation_table::describe_nearest(std::uint32_t address) const {
    const auto after = ranges_.upper_bound(address);
    const allocation* below = after == ranges_.begin() ? nullptr : &std::prev(after)->second;
    const allocation* above = after == ranges_.end() ? nullptr : &after->second;
    if (below == nullptr && above == nullptr) return "no allocation exists";
    const auto text = [](const allocation& range, std::uint64_t distance, const char* where) {
        return fmt::format("{} byte{} {} '{}' [0x{:08x}, 0x{:08x})", distance,
                           distance == 1 ? "" : "s", where, range.name, range.address,
                           std::uint64_t{range.address} + range.size);
    };
    if (below != nullptr) {
        const std::uint64_t offset = address - below->address;
        if (offset < below->size) return text(*below, offset, "into");
        const std::uint64_t past = offset - below->size;
        if (above == nullptr || past <= above->address - address) return text(*below, past, "past");
    }
    return text(*above, above->address - address, "before");
}

}  // namespace heddle
