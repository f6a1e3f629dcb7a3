// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/group_table.h"

#include <utility>

namespace heddle {

std::optional<group_index> group_table::allocate(std::uint32_t thread, launch_ptr launch) {
    const group_index index(thread & (size() - 1));
    entry& e = entries_[index.value()];
    if (e.launch) return std::nullopt;
    e = {std::move(launch), null_group, 0, false};
    ++used_;
    return index;
}

bool group_table::exhaust(group_index group) {
    entry& e = entries_[group.value()];
    e.exhausted = true;
    return release_if_over(e);
}

bool group_table::end_block(group_index group) {
    entry& e = entries_[group.value()];
    --e.executing;
    return release_if_over(e);
}

bool group_table::release_if_over(entry& e) {
    if (!e.exhausted || e.executing != 0) return false;
    e = {};
    --used_;
    return true;
}

}  // namespace heddle
