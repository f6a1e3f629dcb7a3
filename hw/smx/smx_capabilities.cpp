// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_capabilities.h"

#include <algorithm>
#include <string>

#include "hw/protocol/link.h"
#include "hw/smx/smx_configuration.h"
#include "hw/smx/thread_pool/formations.h"
#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/base/warp_slots.h"

namespace heddle {
namespace {

/// A block slot's window of shared memory starts at a multiple of this, so that all banks see
/// the same alignment.
constexpr std::uint32_t shared_alignment = 256;

unsigned checked_warp_slots(const machine_configuration& machine) {
    const unsigned warps = warp_slots(machine);
    if (warps == 0 || warps > protocol::maximum_warps) {
        throw configuration_error("smx.max_threads = " + std::to_string(machine.smx.max_threads) +
                                  " makes " + std::to_string(warps) +
                                  " warps of gpu.warp_size = " + std::to_string(machine.warp_size) +
                                  "; legal: 1 to " + std::to_string(protocol::maximum_warps));
    }
    return warps;
}

}  // namespace

smx_capabilities smx_capabilities::alone() const noexcept {
    smx_capabilities own = *this;
    own.launches = own.cooperates = own.preempts = own.saves = false;
    return own;
}

smx_capabilities capabilities_of(const machine_configuration& machine, const smx_configuration& smx,
                                 const part_configurations& formation_parameters) {
    smx_capabilities can;
    can.warp_slots = checked_warp_slots(machine);
    can.shared_stride = round_up(std::max(machine.smx.shared_bytes, 1U), shared_alignment);
    formations::visit(smx.formation, [&](auto part) {
        using formation = typename decltype(part)::type;
        can.thread_pool = formation::on_pool;
        can.shared_pool = formation::shared_pool(formation_parameters);
        can.lane_units = formation::lane_units;
        can.individual_return =
            can.lane_units || formation::individual_return(formation_parameters);
    });
    can.transactions = machine.tm.enabled;
    // With units of its own a thread has a transaction of its own.
    can.transactions_at_once = can.warp_slots * (can.lane_units ? machine.warp_size : 1);
    can.launches = machine.launch.enabled;
    can.cooperates = true;
    can.preempts = machine.coop.preempt;
    can.saves = can.launches || can.preempts;
    return can;
}

}  // namespace heddle
