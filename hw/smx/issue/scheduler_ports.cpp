// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/scheduler_ports.h"

namespace heddle {

scheduler_ports::scheduler_ports(sm_id sm, const std::vector<port>& ports, bool follow_smx)
    : ports_(ports), count_(static_cast<unsigned>(ports.size())), follow_smx_(follow_smx) {
    cycle_.sm = sm;
    for (std::size_t s = 0; s < ports_.size(); ++s) own_[s] = ports_[s].own;
}

void scheduler_ports::connect() {
    for (std::size_t s = 0; s < ports_.size(); ++s) selection_[s] = ports_[s].to->operator->();
}

std::optional<unsigned> scheduler_ports::select(unsigned scheduler, protocol::warp_mask issuable) {
    cycle_.scheduler = scheduler;
    cycle_.status.issuable = issuable;
    auto phase = protocol::warp_phase::select;
    auto time = sc_core::SC_ZERO_TIME;
    selection_[scheduler]->nb_transport_fw(cycle_, phase, time);
    if (!cycle_.decision.valid) return std::nullopt;
    return cycle_.decision.warp.value();
}

}  // namespace heddle
