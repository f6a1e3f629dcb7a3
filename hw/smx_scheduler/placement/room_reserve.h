// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/device/launch_limits.h"

namespace heddle {

/// Room that has to stay for cooperative blocks without an SMX that will come back: other blocks of
/// their launch wait for them at the global barrier, and do not give room.
class room_reserve {
public:
    void add(const block_resources& of) noexcept {
        ++blocks_;
        threads_ += of.threads;
        registers_ += of.registers;
        shared_ += of.charged_bytes();
    }
    /// Precondition: such a block was added.
    void remove(const block_resources& of) noexcept {
        --blocks_;
        threads_ -= of.threads;
        registers_ -= of.registers;
        shared_ -= of.charged_bytes();
    }
    [[nodiscard]] std::uint32_t blocks() const noexcept { return blocks_; }
    /// Blocks of this kind that would take the room.
    [[nodiscard]] std::uint32_t places(const block_resources& of) const noexcept {
        return std::max({blocks_, share(threads_, of.threads), share(registers_, of.registers),
                         share(shared_, of.charged_bytes())});
    }

private:
    [[nodiscard]] static std::uint32_t share(std::uint64_t all, std::uint32_t each) noexcept {
        return each == 0 ? 0 : static_cast<std::uint32_t>((all + each - 1) / each);
    }

    std::uint32_t blocks_ = 0;
    std::uint64_t threads_ = 0;
    std::uint64_t registers_ = 0;
    std::uint64_t shared_ = 0;
};

}  // namespace heddle
