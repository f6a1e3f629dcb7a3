// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/smx_ports.h"

#include <string>

#include "hw/base/report_error.h"
#include "hw/base/turn.h"
#include "hw/smx_scheduler/smx_scheduler_report.h"

namespace heddle {

using protocol::block_phase;

smx_ports::smx_ports(clocked& owner, unsigned smx_count, unsigned blocks_per_smx)
    : block_socket("block_socket"),
      preempt_socket("preempt_socket"),
      owner_(owner),
      answered_((smx_count + 63) / 64),
      updates_(owner.part_name() + ".preempt_updates") {
    block_socket.register_nb_transport_bw(this, &smx_ports::take);
    smxs_.reserve(smx_count);
    for (unsigned sm = 0; sm < smx_count; ++sm) {
        smxs_.emplace_back(smx{inbox<start>(owner, 1), inbox<block_ptr>(owner, blocks_per_smx)});
    }
}

void smx_ports::check_bindings() {
    if (block_socket.size() == smxs_.size()) return;
    report_error(smx_scheduler_report::protocol,
                 "block_socket is bound to " + std::to_string(block_socket.size()) +
                     " SMXs; legal: " + std::to_string(smxs_.size()));
}

tlm::tlm_sync_enum smx_ports::take(int sm, protocol::block_dispatch& block, block_phase& phase,
                                   sc_core::sc_time&) {
    expect_turn();
    const auto from = static_cast<unsigned>(sm);
    smx& link = smxs_[sm_id(from)];
    answered_[from / 64] |= std::uint64_t{1} << (from % 64);
    switch (phase) {
        case block_phase::started:
            if (link.starts.push({block_ptr(&block), owner_.domain().edge()})) {
                return tlm::TLM_ACCEPTED;
            }
            break;
        case block_phase::done:
            if (link.dones.push(block_ptr(&block))) {
                return tlm::TLM_COMPLETED;
            }
            break;
        case block_phase::dispatch:
            break;
    }
    report_error(smx_scheduler_report::protocol,
                 "answer of SMX " + std::to_string(from) + " for block " +
                     std::to_string(block.block) + " of launch " + to_text(block.launch) +
                     "; legal: started once, then done, for a block that was dispatched");
    return tlm::TLM_ACCEPTED;
}

void smx_ports::dispatch(protocol::block_dispatch& block) {
    const auto sm = static_cast<int>(block.sm.value());
    block_phase phase = block_phase::dispatch;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = block_socket[sm]->nb_transport_fw(block, phase, delay);
    if (status == tlm::TLM_UPDATED && phase == block_phase::started) {
        (void)take(sm, block, phase, delay);
    } else if (status != tlm::TLM_ACCEPTED) {
        report_error(smx_scheduler_report::protocol,
                     "return of a dispatch to an SMX; legal: TLM_ACCEPTED, or TLM_UPDATED with "
                     "started");
    }
}

void smx_ports::preempt(sm_id sm, launch_id launch, kde_index entry) {
    const pool_ptr<protocol::kde_update> update = updates_.make();
    update->launch = launch;
    update->kde = entry;
    update->event = protocol::kde_event::preempt;
    protocol::kde_phase phase = protocol::kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    preempt_socket[static_cast<int>(sm.value())]->nb_transport_fw(*update, phase, delay);
}

}  // namespace heddle
