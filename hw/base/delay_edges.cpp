// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/delay_edges.h"

#include <cmath>

#include "hw/base/present.h"

namespace heddle {

std::uint64_t annotated_edges(const clock_domain& domain, const sc_core::sc_time& delay) {
    const double ps = (present::time() + delay) / sc_core::sc_time(1, sc_core::SC_PS);
    const std::uint64_t edge =
        domain.rate().first_edge_not_before(static_cast<std::uint64_t>(std::ceil(ps)));
    const std::uint64_t next = domain.next_edge();
    return edge <= next ? 1 : edge - next + 1;
}

}  // namespace heddle
