// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/resident_kernels.h"

namespace heddle {

bool resident_kernels::eligible(kde_index entry, const protocol::kernel_launch& group) const {
    const protocol::kernel_launch* const kernel = entries_[entry].kernel.get();
    return kernel != nullptr && kernel->entry_pc == group.entry_pc &&
           kernel->block == group.block &&
           kernel->dynamic_shared_bytes == group.dynamic_shared_bytes;
}

bool resident_kernels::pin(kde_index entry) {
    state& s = entries_[entry];
    ++s.pins;
    const bool first = !s.held;
    s.held = true;
    return first;
}

bool resident_kernels::release_if_over(kde_index entry) {
    state& s = entries_[entry];
    const bool over = s.kernel && s.exhausted && s.executing == 0 && s.pins == 0 &&
                      chain_[entry].next_group == null_group;
    if (!over) return false;
    const bool held = s.held;
    s = {};
    return held;
}

}  // namespace heddle
