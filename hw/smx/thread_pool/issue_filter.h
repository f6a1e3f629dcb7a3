// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/smx_configuration.h"

namespace heddle {

/// What an instruction needs in order to issue: a unit_class, or a load of constants, which takes
/// no input of the memory unit.
using issue_need = std::uint8_t;
inline constexpr issue_need needs_constants = unit_class_count;

/// Needs of the instructions of a program, by position in its code.
struct issue_needs {
    std::uint32_t base = 0;  ///< PC of position 0
    std::vector<issue_need> of;

    [[nodiscard]] issue_need at(std::uint32_t pc) const noexcept { return of[(pc - base) / 4]; }
};

/// Which instructions can issue in a turn.
class issue_filter {
public:
    /// `accepting`: a bit for each issue_need. `needs` outlives the filter.
    issue_filter(const issue_needs& needs, std::uint32_t accepting) noexcept
        : needs_(needs), accepting_(accepting) {}

    /// Whether the instruction at `pc` finds what it needs. Constant time.
    [[nodiscard]] bool accepts(std::uint32_t pc) const noexcept {
        return (accepting_ >> needs_.at(pc) & 1U) != 0;
    }

    /// A bit for each issue_need.
    [[nodiscard]] std::uint32_t accepting() const noexcept { return accepting_; }

private:
    const issue_needs& needs_;
    const std::uint32_t accepting_;
};

}  // namespace heddle
