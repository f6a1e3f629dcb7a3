// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// What happens to a warp slot at a clock edge.
enum class warp_event : std::uint8_t { none, gone, started, completed };

/// Ports of slot.warp_scheduler. `valid` and `warp` depend on `policy`, `issuable`, `memory` and
/// registers. At a clock edge with `enable` one event happens to slot `event_warp`, then the warp
/// `issued_warp` issues if `issued`. A core cycle takes a clock for each event: warps that have
/// gone, then warps that have started, then completed memory instructions, each from the lowest
/// slot on; `issued` comes before the completions. A cycle without any takes none.
struct warp_scheduler_call {
    std::uint8_t policy = 0;     ///< 0 lrr, 1 gto, 2 motrr_recency
    std::uint64_t issuable = 0;  ///< a bit for each warp slot
    std::uint64_t memory = 0;    ///< those whose next instruction is for memory
    warp_event event = warp_event::none;
    std::uint8_t event_warp = 0;
    bool issued = false;
    std::uint8_t issued_warp = 0;
    bool valid = false;
    std::uint8_t warp = 0;
};

inline constexpr port_field<warp_scheduler_call> warp_scheduler_ports[] = {
    port_of<&warp_scheduler_call::policy>(port_direction::input, "policy", 2),
    port_of<&warp_scheduler_call::event>(port_direction::input, "event_kind", 2),
    port_of<&warp_scheduler_call::event_warp>(port_direction::input, "event_warp", 6),
    port_of<&warp_scheduler_call::issued>(port_direction::input, "issued", 1),
    port_of<&warp_scheduler_call::issued_warp>(port_direction::input, "issued_warp", 6),
    port_of<&warp_scheduler_call::issuable>(port_direction::input, "issuable", 64),
    port_of<&warp_scheduler_call::memory>(port_direction::input, "memory", 64),
    port_of<&warp_scheduler_call::valid>(port_direction::output, "valid", 1),
    port_of<&warp_scheduler_call::warp>(port_direction::output, "warp", 6),
};

}  // namespace heddle::cosim
