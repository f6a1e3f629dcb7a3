// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "models/base/flat_memory.h"

namespace heddle::iss {

/// Words of memory that a core has told, in any order and any pieces. O(log pieces) a call; pieces
/// that touch or overlap are one.
class told_memory {
public:
    told_memory();

    /// Whole words. What was told before of the same words is replaced.
    void tell(std::uint32_t address, const void* from, std::size_t bytes);
    /// The host writes, to the core's memory as well.
    void overwrite(std::uint32_t address, const void* from, std::size_t bytes);
    [[nodiscard]] bool holds(std::uint32_t word) const;
    /// Of a word that it holds.
    [[nodiscard]] std::uint32_t operator[](std::uint32_t word) const noexcept;
    /// The bytes of whole words from an address on.
    [[nodiscard]] const std::map<std::uint32_t, std::uint64_t>& pieces() const noexcept {
        return pieces_;
    }
    void clear() { pieces_.clear(); }

private:
    flat_memory bytes_;
    std::map<std::uint32_t, std::uint64_t> pieces_;
};

}  // namespace heddle::iss
