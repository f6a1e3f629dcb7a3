// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <ostream>

#include "hw/base/slot_registry.h"
#include "hw/kmu/kmu_configuration.h"

namespace heddle {

/// Hardware work queues that have a launch and are not stopped, a bit each; at least one.
struct queue_requests {
    std::uint64_t ready = 0;
};
struct queue_pick {
    unsigned queue = 0;
};

/// The slot of the KMU's queue picker (hw/base/slot.h), key `slot.queue_picker`: which of its
/// hardware work queues the KMU dispatches from. Wang et al., ISCA 2015, 2.2: they take turns.
///
/// decide() gives the first ready queue after the one that was taken last, round robin; after reset
/// queue 0 is first. clock_edge() takes the queue of the last decide(). The KMU asks in the cycles
/// in which it dispatches from a queue, and in no others.
struct queue_picker_traits {
    static constexpr const char* name = "queue_picker";
    using interface = slot<queue_picker_traits>;
    using setting = kmu_configuration;
    using inputs = queue_requests;
    using outputs = queue_pick;
    static constexpr slot_field<queue_pick> fields[] = {
        {"queue", [](const queue_pick& p, std::uint32_t) { return std::uint64_t{p.queue}; }}};

    [[nodiscard]] static slot_registry<queue_picker_traits> implementations();
};
using queue_picker = slot<queue_picker_traits>;

std::ostream& operator<<(std::ostream& to, const queue_requests& requests);

}  // namespace heddle
