// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "hw/axi/channels.h"

namespace heddle::axi {

/// What an observer of a bus knows of the memory behind it: bytes that were read or written. Takes
/// host memory for each page of 4 KB that it knows a byte of. The page of the last call is found at
/// once, because the bytes of a beat lie in one page.
class known_bytes {
public:
    known_bytes() = default;
    known_bytes(const known_bytes&) = delete;
    known_bytes& operator=(const known_bytes&) = delete;

    void set(std::uint64_t address, std::uint8_t value) {
        page* at = find(address);
        if (at == nullptr) at = remember(address / boundary, &pages_[address / boundary]);
        at->bytes[address % boundary] = value;
        at->known.set(address % boundary);
    }
    [[nodiscard]] std::optional<std::uint8_t> get(std::uint64_t address) const {
        const page* const at = find(address);
        if (at == nullptr || !at->known[address % boundary]) return {};
        return at->bytes[address % boundary];
    }
    void forget(std::uint64_t address) {
        page* const at = find(address);
        if (at != nullptr) at->known.reset(address % boundary);
    }

private:
    struct page {
        std::array<std::uint8_t, boundary> bytes{};
        std::bitset<boundary> known;
    };

    page* remember(std::uint64_t number, page* which) const {
        last_number_ = number;
        last_ = which;
        return which;
    }
    /// Null if no byte of the page has ever been known.
    page* find(std::uint64_t address) const {
        const std::uint64_t number = address / boundary;
        if (last_ != nullptr && number == last_number_) return last_;
        const auto found = pages_.find(number);
        return found == pages_.end() ? nullptr : remember(number, &found->second);
    }

    mutable std::unordered_map<std::uint64_t, page> pages_;  ///< pages stay where they are
    mutable std::uint64_t last_number_ = 0;
    mutable page* last_ = nullptr;
};

}  // namespace heddle::axi
