// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/group_table.h"

namespace heddle {

std::optional<agt_entry> group_table::allocate(std::uint32_t thread, launch_ptr launch) {
    const group_answer answer = allocator_->decide({group_operation::allocate, thread, {}});
    allocator_->clock_edge();
    if (!answer.granted) return std::nullopt;
    entries_[answer.entry] = {std::move(launch), null_group};
    ++used_;
    return answer.entry;
}

bool group_table::perform(group_operation what, agt_entry entry) {
    const group_answer answer = allocator_->decide({what, 0, entry});
    allocator_->clock_edge();
    if (!answer.released) return false;
    entries_[entry] = {};
    --used_;
    return true;
}

}  // namespace heddle
