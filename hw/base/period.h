// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/frequency.h"

namespace heddle {

/// Picoseconds from an edge to the next as a real number, for statistics; edges themselves are
/// computed in integers (frequency.h).
[[nodiscard]] inline double period_of(const frequency& f) noexcept {
    return static_cast<double>(f.period_numerator()) / static_cast<double>(f.mhz_numerator());
}

}  // namespace heddle
