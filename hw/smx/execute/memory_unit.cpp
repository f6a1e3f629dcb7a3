// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/execute/memory_unit.h"

namespace heddle {

using kind = execution_outcome::kind;

execution_outcome memory_unit::execute(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const block_table::block_context& block = parts_.blocks.block(group.block);
    ++block.counts->memory_instructions;
    memory_instruction& access = parts_.lsu.next_slot();
    access.flight = {group.home, issued.number, &issued.instruction};
    access.owner = access_owner(group.home);
    access.gathered = false;
    access.warp = warp_slot(group.home);
    access.block = block_slot(group.block);
    access.launch = block.dispatch->launch;
    access.block_index = block.dispatch->block;
    access.private_region = block.dispatch->context.value() + parts_.blocks.warp(group.home).index;
    access.shared_base = block.shared_base;
    access.shared_bytes = block.dispatch->kernel->shared_bytes;
    access.lanes = group.lanes;
    parts_.registers.read_access(group.home, issued.instruction, access.address, access.data,
                                 access.compare);
    if (execution_observer* const observer = parts_.observer.get(); observer != nullptr) {
        observer->accessed(
            {issued.edge, group.home, issued.number, group.pc, group.lanes, &issued.instruction},
            access);
    }
    execution_outcome outcome(kind::straight_on);
    outcome.first_address = access.address[bits::first(group.lanes)];
    if (!parts_.lsu.accept()) outcome.what = kind::refused;
    return outcome;
}

}  // namespace heddle
