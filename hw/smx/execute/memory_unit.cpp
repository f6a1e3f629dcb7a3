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
    access.owner = access_owner(group.owner);
    access.block = block_slot(group.block);
    access.launch = block.dispatch->launch;
    access.block_index = block.dispatch->block;
    access.shared_base = block.shared_base;
    access.shared_bytes = block.dispatch->kernel->per_block.shared_bytes;
    access.lanes = group.lanes;
    const program::kernel_code& code = block.kernel->code;
    const auto position = static_cast<std::uint32_t>(code.index(group.pc));
    access.flight = {group.name, position, issued.number, &issued.instruction};
    access.loads_constants = (code.flags[position] & program::constant_load) != 0;
    name_threads(group, access);
    parts_.registers.read_access(group, issued.instruction, access.address, access.data,
                                 access.compare);
    if (parts_.observer.get() != nullptr) show(issued, access);
    execution_outcome outcome(kind::straight_on);
    outcome.first_address = access.address[bits::first(group.lanes)];
    if (const auto fault = parts_.lsu.accept()) {
        outcome.what = parts_.fault(issued, fault->lane, fault->what).what;
    }
    return outcome;
}

/// Whose accesses the lanes are: registers, private memory and reservations are the home thread's.
void memory_unit::name_threads(const thread_group& group, memory_instruction& access) const {
    const std::uint32_t context = parts_.blocks.block(group.block).dispatch->context.value();
    access.gathered = group.threads != nullptr;
    access.transactional = group.in_transaction();
    access.transaction = group.transaction;
    access.for_log = false;
    access.log = {};
    if (!access.gathered) {
        access.warp = warp_slot(group.home);
        const unsigned index = parts_.blocks.warp(group.home).index;
        access.private_region = context + index;
        return;
    }
    bits::for_each(group.lanes, [&](unsigned lane) {
        const unsigned warp = home_of(group, lane, parts_.warp_size).warp;
        access.thread[lane] = {context + parts_.blocks.warp(warp).index, group.threads[lane]};
    });
}

/// Observers hear of one access for each home warp, its lanes in their places.
void memory_unit::show(const issued_group& issued, const memory_instruction& access) {
    const thread_group& group = issued.threads;
    execution_observer& observer = *parts_.observer.get();
    unsigned untold = bits::count(group.lanes);
    for_each_home(group, group.lanes, parts_.warp_size, [&](unsigned warp, isa::lane_mask lanes) {
        issued_instruction one{issued.edge, warp,  issued.number,
                               group.pc,    lanes, &issued.instruction};
        if (!access.gathered) return observer.accessed(one, access);
        std::uint8_t pipeline_lanes[protocol::maximum_lanes] = {};
        bits::for_each(group.lanes, [&](unsigned lane) {
            const thread_home home = home_of(group, lane, parts_.warp_size);
            if (home.warp == warp) pipeline_lanes[home.lane] = static_cast<std::uint8_t>(lane);
        });
        one.pipeline_lanes = pipeline_lanes;
        untold -= bits::count(lanes);
        one.more_warps = untold != 0;
        shown_ = access;
        shown_.warp = warp_slot(warp);
        shown_.lanes = lanes;
        to_home_lanes(group, group.lanes, warp, parts_.warp_size, access.address, shown_.address);
        to_home_lanes(group, group.lanes, warp, parts_.warp_size, access.data, shown_.data);
        to_home_lanes(group, group.lanes, warp, parts_.warp_size, access.compare, shown_.compare);
        observer.accessed(one, shown_);
    });
}

}  // namespace heddle
