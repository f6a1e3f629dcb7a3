// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/block_room.h"

#include "models/base/warp_slots.h"
#include "models/simt/private_layout.h"

namespace heddle {

namespace {

std::uint32_t regions_of(const machine_configuration& machine, bool blocks_leave) {
    const std::uint32_t resident = resident_warps(machine);
    const simt::private_layout layout{machine.smx.private_bytes, machine.warp_size};
    constexpr std::uint32_t half = program::reserve_window.size / 2;
    return blocks_leave ? std::max(resident, half / layout.region_bytes()) : resident;
}

}  // namespace

block_room::block_room(const machine_configuration& machine, bool blocks_leave)
    : warp_size_(machine.warp_size),
      accounts_(machine.smx_count, machine.smx),
      resident_regions_(resident_warps(machine)),
      regions_(regions_of(machine, blocks_leave)) {}

block_room::answer block_room::take(const protocol::launched_block& block) {
    const block_resources& need = block.kernel->per_block;
    const auto sm = accounts_.find(need);
    if (!sm) return {std::nullopt, accounts_.limit(need)};
    protocol::context_id context = block.context;
    if (block.resumed) {
        kept_regions_ -= warps(need);
    } else {
        const auto region = regions_.allocate(warps(need), region_limit());
        if (!region) return {std::nullopt, block_limit::private_memory};
        context = protocol::context_id(*region);
    }
    return {place{*sm, accounts_.take(*sm, need), context}};
}

bool block_room::leave(const protocol::block_dispatch& block) {
    if (!accounts_.give_back(block.sm, block.slot)) return false;
    const std::uint32_t regions = warps(block.kernel->per_block);
    if (!comes_back(block.outcome)) return regions_.release(block.context.value(), regions);
    kept_regions_ += regions;
    return true;
}

}  // namespace heddle
