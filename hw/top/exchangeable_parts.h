// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/cosim/pins/block_choice.h"
#include "hw/crossbar/allocator.h"
#include "hw/kmu/queue_picker.h"
#include "hw/memory_controller/request_scheduler.h"
#include "hw/smx/divergence/formation.h"
#include "hw/smx/tm/bank_state.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "hw/smx_scheduler/chain/kde_chain.h"
#include "hw/smx_scheduler/groups/group_allocator.h"
#include "models/base/parameter.h"

namespace heddle {

/// The implementations of all slots of the machine (hw/base/slot.h); at first those of this build.
/// Whoever builds a netlist may change them.
struct exchangeable_parts {
    exchangeable_parts();

    slot_registry<warp_selection_traits> warp_scheduler = warp_selection_traits::implementations();
    slot_registry<formation_traits> formation = formation_traits::implementations();
    slot_registry<allocator_traits> crossbar_allocator = allocator_traits::implementations();
    slot_registry<request_scheduler_traits> dram_scheduler =
        request_scheduler_traits::implementations();
    slot_registry<queue_picker_traits> queue_picker = queue_picker_traits::implementations();
    slot_registry<kde_chain_traits> kde_chain = kde_chain_traits::implementations();
    slot_registry<group_allocator_traits> group_allocator =
        group_allocator_traits::implementations();
    slot_registry<bank_state_traits> tm_bank = bank_state_traits::implementations();
};

/// Which implementation each slot has, keys `slot.`.
struct slot_configuration {
    slot_choice warp_scheduler, formation, crossbar_allocator, dram_scheduler, queue_picker,
        kde_chain, group_allocator, tm_bank;
    pins::block_choice memory_controller, kernel_distributor, smx;  ///< whole blocks

    /// Legal are the implementations of this build.
    void declare(parameter_list& p);
};

/// Makes the parts of a machine.
struct slot_makers {
    /// `core`, `interconnect`, `dram`: the clocks of the parts.
    slot_makers(const exchangeable_parts& parts, const slot_configuration& choices,
                std::uint64_t run_seed, run_status& status, const cycle_counter& core,
                const cycle_counter& interconnect, const cycle_counter& dram,
                slot_listeners listeners);
    /// slot_maker::check() of all.
    void check() const;

    slot_maker<warp_selection_traits> warp_scheduler;
    slot_maker<formation_traits> formation;
    slot_maker<allocator_traits> crossbar_allocator;
    slot_maker<request_scheduler_traits> dram_scheduler;
    slot_maker<queue_picker_traits> queue_picker;
    slot_maker<kde_chain_traits> kde_chain;
    slot_maker<group_allocator_traits> group_allocator;
    slot_maker<bank_state_traits> tm_bank;
};

}  // namespace heddle
