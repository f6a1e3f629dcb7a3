// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// Tells which cycle of which clock it is: for the messages of parts without SystemC.
class cycle_counter {
public:
    /// Hierarchical name of the clock.
    [[nodiscard]] virtual std::string clock_name() const = 0;
    /// The cycle that runs now; cycle 0 is the first.
    [[nodiscard]] virtual std::uint64_t cycle() const = 0;

protected:
    ~cycle_counter() = default;
};

}  // namespace heddle
