// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cmath>
#include <cstdint>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/present.h"

namespace heddle {

/// Latency for inbox::push() of an item with an annotated delay: the item is seen at the first edge
/// that is after now and not before now + delay.
[[nodiscard]] inline std::uint64_t delay_edges(const clock_domain& domain,
                                               const sc_core::sc_time& delay) {
    if (delay == sc_core::SC_ZERO_TIME) {
        return 1;
    }
    const double ps = (present::time() + delay) / sc_core::sc_time(1, sc_core::SC_PS);
    const std::uint64_t edge =
        domain.rate().first_edge_not_before(static_cast<std::uint64_t>(std::ceil(ps)));
    const std::uint64_t next = domain.next_edge();
    return edge <= next ? 1 : edge - next + 1;
}

}  // namespace heddle
