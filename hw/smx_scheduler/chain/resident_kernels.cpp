// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/chain/resident_kernels.h"

#include <algorithm>

namespace heddle {

bool resident_kernels::eligible(kde_index entry, const protocol::kernel_launch& group) const {
    const protocol::kernel_launch* const kernel = entries_[entry].kernel.get();
    return kernel != nullptr && kernel->entry_pc == group.entry_pc &&
           kernel->priority == group.priority && kernel->block == group.block &&
           kernel->dynamic_shared_bytes == group.dynamic_shared_bytes;
}

std::uint32_t resident_kernels::highest_priority() const {
    std::uint32_t highest = 0;
    for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
        const launch_ptr& kernel = entries_[kde_index(entry)].kernel;
        if (kernel) highest = std::max(highest, kernel->priority);
    }
    return highest;
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
