// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/link.h"

namespace heddle {

/// Decoded instructions of each warp that wait for issue. They follow each other in the code,
/// because fetch stops where the path may turn. So their number is enough.
class instruction_buffers {
public:
    explicit instruction_buffers(unsigned capacity) noexcept : capacity_(capacity) {}

    [[nodiscard]] unsigned count(unsigned warp) const noexcept { return count_[warp]; }
    [[nodiscard]] unsigned room(unsigned warp) const noexcept { return capacity_ - count_[warp]; }
    [[nodiscard]] bool empty(unsigned warp) const noexcept { return count_[warp] == 0; }
    /// Precondition: n <= room(warp).
    void fill(unsigned warp, unsigned n) noexcept {
        count_[warp] = static_cast<std::uint8_t>(count_[warp] + n);
    }
    /// The head issues; precondition: not empty.
    void take(unsigned warp) noexcept { --count_[warp]; }
    void flush(unsigned warp) noexcept { count_[warp] = 0; }

private:
    unsigned capacity_;
    std::array<std::uint8_t, protocol::maximum_warps> count_{};
};

}  // namespace heddle
