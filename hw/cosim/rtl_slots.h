// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/slot_registry.h"
#include "hw/crossbar/allocator.h"
#include "hw/kmu/queue_picker.h"
#include "hw/memory_controller/request_scheduler.h"
#include "hw/smx/divergence/formation.h"
#include "hw/smx/tm/bank_state.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "hw/smx_scheduler/chain/kde_chain.h"
#include "hw/smx_scheduler/groups/group_allocator.h"

/// The RTL of this build as implementations of the slots. Without Verilator these calls add
/// nothing.
namespace heddle::cosim {

/// lrr, gto and motrr_recency; others are a configuration_error.
void add_rtl(slot_registry<warp_selection_traits>& to);
/// pdom with smx.stack_entries from 1 to 128; others are a configuration_error.
void add_rtl(slot_registry<formation_traits>& to);
/// input_first with up to 32 rows and columns; others are a configuration_error.
void add_rtl(slot_registry<allocator_traits>& to);
/// fr_fcfs with a queue of up to 128 accesses; others are a configuration_error.
void add_rtl(slot_registry<request_scheduler_traits>& to);
void add_rtl(slot_registry<queue_picker_traits>& to);
/// Up to 64 entries of one chain; others are a configuration_error.
void add_rtl(slot_registry<kde_chain_traits>& to);
void add_rtl(slot_registry<group_allocator_traits>& to);
/// prw_sig with up to 16 block slots of 1024 rows; others are a configuration_error.
void add_rtl(slot_registry<bank_state_traits>& to);

}  // namespace heddle::cosim
