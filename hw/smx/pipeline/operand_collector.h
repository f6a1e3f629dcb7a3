// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/base/bits.h"

namespace heddle {

/// Cycles that reading an instruction's operands takes beyond the first: registers r of a warp w
/// lie in bank (r + w) mod banks, and a bank delivers one register of a warp a cycle. The warp
/// shifts all banks alike, so the result depends on the instruction only. A register that an
/// instruction uses twice is read once. `sources` has one bit per register; at most three are set.
[[nodiscard]] inline unsigned extra_read_cycles(std::uint64_t sources, unsigned banks) noexcept {
    std::array<std::uint8_t, 64> reads{};
    unsigned most = 1;
    bits::for_each(
        sources, [&](unsigned index) { most = std::max<unsigned>(most, ++reads[index % banks]); });
    return most - 1;
}

}  // namespace heddle
