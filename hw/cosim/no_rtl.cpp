// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/rtl_slots.h"

namespace heddle::cosim {

void add_rtl(slot_registry<warp_selection_traits>&) {}
void add_rtl(slot_registry<formation_traits>&) {}
void add_rtl(slot_registry<allocator_traits>&) {}
void add_rtl(slot_registry<request_scheduler_traits>&) {}
void add_rtl(slot_registry<queue_picker_traits>&) {}
void add_rtl(slot_registry<kde_chain_traits>&) {}
void add_rtl(slot_registry<group_allocator_traits>&) {}
void add_rtl(slot_registry<bank_state_traits>&) {}

}  // namespace heddle::cosim
