// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/foreign/told_memory.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "models/program/address_map.h"

namespace heddle::iss {

told_memory::told_memory() : bytes_(program::address_space_bytes) {}

void told_memory::tell(std::uint32_t address, const void* from, std::size_t bytes) {
    std::memcpy(bytes_.data() + address, from, bytes);
    std::uint32_t first = address;
    std::uint64_t end = std::uint64_t{address} + bytes;
    auto at = pieces_.upper_bound(address);
    if (at != pieces_.begin()) {
        const auto before = std::prev(at);
        if (before->first + before->second >= address) at = before;
    }
    while (at != pieces_.end() && at->first <= end) {
        first = std::min(first, at->first);
        end = std::max(end, at->first + at->second);
        at = pieces_.erase(at);
    }
    pieces_[first] = end - first;
}

void told_memory::overwrite(std::uint32_t address, const void* from, std::size_t bytes) {
    if (!pieces_.empty()) std::memcpy(bytes_.data() + address, from, bytes);
}

bool told_memory::holds(std::uint32_t word) const {
    const auto behind = pieces_.upper_bound(word);
    if (behind == pieces_.begin()) return false;
    const auto& [first, bytes] = *std::prev(behind);
    return word - first < bytes;
}

std::uint32_t told_memory::operator[](std::uint32_t word) const noexcept {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + word, sizeof value);
    return value;
}

}  // namespace heddle::iss
