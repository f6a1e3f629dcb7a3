// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/crossbar/allocator.h"
#include "hw/memory_controller/request_scheduler.h"
#include "hw/smx/divergence/formation.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/parameter.h"

namespace heddle {

/// The implementations of all slots of the machine (hw/base/slot.h); at first those of this build.
/// Whoever builds a netlist may add to them.
struct exchangeable_parts {
    slot_registry<warp_selection_traits> warp_scheduler = warp_selection_traits::implementations();
    slot_registry<formation_traits> formation = formation_traits::implementations();
    slot_registry<allocator_traits> crossbar_allocator = allocator_traits::implementations();
    slot_registry<request_scheduler_traits> dram_scheduler =
        request_scheduler_traits::implementations();
};

/// Which implementation each slot has, keys `slot.`.
struct slot_configuration {
    slot_implementation warp_scheduler = slot_implementation::tlm;
    slot_implementation formation = slot_implementation::tlm;
    slot_implementation crossbar_allocator = slot_implementation::tlm;
    slot_implementation dram_scheduler = slot_implementation::tlm;

    /// Legal are the implementations of this build.
    void declare(parameter_list& p);
};

}  // namespace heddle
