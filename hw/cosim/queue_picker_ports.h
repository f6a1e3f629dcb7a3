// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// Ports of slot.queue_picker: the queues that the KMU could dispatch from, at least one. `queue`
/// depends on `ready` and on the register, which holds the queue that was taken last; a clock edge
/// with `enable` loads it with `queue`. After reset queue 0 is first. One clock a dispatch.
struct queue_picker_call {
    std::uint64_t ready = 0;  ///< a bit for each queue
    std::uint8_t queue = 0;
};

inline constexpr port_field<queue_picker_call> queue_picker_ports[] = {
    port_of<&queue_picker_call::ready>(port_direction::input, "ready", 64),
    port_of<&queue_picker_call::queue>(port_direction::output, "queue", 6),
};

}  // namespace heddle::cosim
