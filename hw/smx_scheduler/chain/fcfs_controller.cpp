// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/chain/fcfs_controller.h"

namespace heddle {

fcfs_controller::fcfs_controller(unsigned entries)
    : order_(entries), ranks_(entries), marks_((entries + 63) / 64) {}

bool fcfs_controller::mark(kde_index entry, std::uint32_t rank, std::size_t first) {
    if (entry.value() >= order_.size() || marked(entry)) {
        return false;
    }
    marks_[entry.value() / 64] |= std::uint64_t{1} << (entry.value() % 64);
    ranks_[entry] = rank;
    std::size_t at = size_++;
    for (; at > first && ranks_[order_[place(at - 1)]] < rank; --at) {
        order_[place(at)] = order_[place(at - 1)];
    }
    order_[place(at)] = entry;
    return true;
}

void fcfs_controller::unmark_head() {
    const kde_index entry = head();
    marks_[entry.value() / 64] &= ~(std::uint64_t{1} << (entry.value() % 64));
    first_ = first_ + 1 == order_.size() ? 0 : first_ + 1;
    --size_;
}

}  // namespace heddle
