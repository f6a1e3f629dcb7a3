// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/link.h"

namespace heddle {

/// Turns in which something issued, by the number of lanes that held a thread.
class issue_sizes {
public:
    using counts = std::array<std::uint64_t, protocol::maximum_lanes + 1>;

    void add(unsigned lanes) noexcept { ++counts_[lanes]; }
    /// By number of lanes.
    [[nodiscard]] const counts& by_lanes() const noexcept { return counts_; }

private:
    counts counts_{};
};

}  // namespace heddle
