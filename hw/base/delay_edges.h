// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <systemc>

#include "hw/base/clock_domain.h"

namespace heddle {

/// For a delay that is not zero. Cold, as no block of Heddle annotates one.
[[nodiscard, gnu::cold, gnu::noinline]] std::uint64_t annotated_edges(
    const clock_domain& domain, const sc_core::sc_time& delay);

/// Latency for inbox::push() of an item with an annotated delay: the item is seen at the first edge
/// that is after now and not before now + delay.
[[nodiscard]] inline std::uint64_t delay_edges(const clock_domain& domain,
                                               const sc_core::sc_time& delay) {
    return delay == sc_core::SC_ZERO_TIME ? 1 : annotated_edges(domain, delay);
}

}  // namespace heddle
