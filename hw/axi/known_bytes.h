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
/// host memory for each page of 4 KB that it knows a byte of.
class known_bytes {
public:
    void set(std::uint64_t address, std::uint8_t value) {
        page& at = pages_[address / boundary];
        at.bytes[address % boundary] = value;
        at.known.set(address % boundary);
    }
    [[nodiscard]] std::optional<std::uint8_t> get(std::uint64_t address) const {
        const auto found = pages_.find(address / boundary);
        if (found == pages_.end() || !found->second.known[address % boundary]) return {};
        return found->second.bytes[address % boundary];
    }
    void forget(std::uint64_t address) {
        const auto found = pages_.find(address / boundary);
        if (found != pages_.end()) found->second.known.reset(address % boundary);
    }

private:
    struct page {
        std::array<std::uint8_t, boundary> bytes{};
        std::bitset<boundary> known;
    };
    std::unordered_map<std::uint64_t, page> pages_;
};

}  // namespace heddle::axi
