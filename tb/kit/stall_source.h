// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string_view>

#include "models/base/random.h"

namespace heddle {

/// Random stalls of one handshake.
///
/// The decision is a function of seed, name and cycle, not of how often it is asked for: parts may
/// sleep, ask twice or run in any order, and the stalls stay the same.
class stall_source {
public:
    stall_source(std::uint64_t seed, std::string_view name, double probability) noexcept
        : key_(random_stream(seed, name).next()),
          threshold_(probability >= 1 ? ~std::uint64_t{0}
                     : probability <= 0
                         ? 0
                         : static_cast<std::uint64_t>(probability * 18446744073709551616.0)) {}

    /// Whether the handshake is held back in this cycle.
    [[nodiscard]] bool stalled(std::uint64_t cycle) const noexcept {
        // splitmix64's finalizer (Steele, Lea, Flood 2014) over the cycle, keyed by the stream
        std::uint64_t z = key_ + cycle * 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        z ^= z >> 31;
        return threshold_ == ~std::uint64_t{0} || z < threshold_;
    }

private:
    std::uint64_t key_;
    std::uint64_t threshold_;
};

}  // namespace heddle
