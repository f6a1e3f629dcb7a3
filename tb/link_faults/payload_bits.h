// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hw/protocol/aggregation.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/memory_access.h"
#include "hw/protocol/shared_access.h"
#include "hw/protocol/thread_turn.h"
#include "hw/protocol/warp_issue.h"

namespace heddle::link_faults {

/// What a payload carries over its link, as numbers that can be read and changed: the wires.
struct wire {
    std::uint64_t value;
    std::function<void(std::uint64_t)> set;
};

[[nodiscard]] std::vector<wire> wires_of(tlm::tlm_generic_payload& p);
[[nodiscard]] std::vector<wire> wires_of(protocol::kernel_launch& p);
[[nodiscard]] std::vector<wire> wires_of(protocol::aggregation& p);
[[nodiscard]] std::vector<wire> wires_of(protocol::block_dispatch& p);
[[nodiscard]] std::vector<wire> wires_of(protocol::kde_update& p);
[[nodiscard]] std::vector<wire> wires_of(protocol::warp_cycle& p);
[[nodiscard]] std::vector<wire> wires_of(protocol::thread_turn& p);
[[nodiscard]] std::vector<wire> wires_of(protocol::shared_access& p);

/// Parity of all wires, 64 bits of it.
template <class Payload>
[[nodiscard]] std::uint64_t parity_of(Payload& p) {
    std::uint64_t sum = 0xcbf29ce484222325U;  // FNV-1a
    for (const wire& w : wires_of(p)) sum = (sum ^ w.value) * 0x100000001b3U;
    return sum;
}

/// Changes one bit of one wire; `which` chooses both.
template <class Payload>
void corrupt(Payload& p, std::uint64_t which) {
    const std::vector<wire> wires = wires_of(p);
    const wire& hit = wires[which % wires.size()];
    hit.set(hit.value ^ std::uint64_t{1} << (which / wires.size() % 8));
}

}  // namespace heddle::link_faults
