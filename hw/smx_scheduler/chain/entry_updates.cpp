// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/chain/entry_updates.h"

namespace heddle {

using protocol::kde_event;

void entry_updates::start_block(const protocol::launched_block& block, bool of_group) {
    order_.kernels().start_block(block.kde);
    tell(kde_event::block_started, kernel_of(block.kde), block.kde, block.block, of_group);
}

void entry_updates::end_block(const protocol::launched_block& block) {
    order_.kernels().end_block(block.kde);
    tell(kde_event::block_finished, kernel_of(block.kde), block.kde, block.block,
         block.group != null_group);
}

void entry_updates::exhaust(const protocol::launched_block& last) {
    order_.kernels().exhaust(last.kde);
    tell(kde_event::blocks_exhausted, kernel_of(last.kde), last.kde, last.block);
}

void entry_updates::hold(kde_index entry) {
    tell(kde_event::hold, kernel_of(entry), entry);
}

bool entry_updates::release_if_over(kde_index entry) {
    const launch_id kernel = kernel_of(entry);
    if (!order_.kernels().release_if_over(entry)) return false;
    tell(kde_event::release, kernel, entry);
    return true;
}

void entry_updates::tell(kde_event event, launch_id kernel, kde_index entry, std::uint32_t block,
                         bool of_group) {
    const pool_ptr<protocol::kde_update> update = updates_.make();
    update->launch = kernel;
    update->kde = entry;
    update->of_group = of_group;
    update->event = event;
    update->block = block;
    const kde_chain::registers now = order_.chain()[entry];
    update->next_group = now.next_group;
    update->last_group = now.last_group;
    protocol::kde_phase phase = protocol::kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    distributor_->nb_transport_fw(*update, phase, delay);
}

}  // namespace heddle
