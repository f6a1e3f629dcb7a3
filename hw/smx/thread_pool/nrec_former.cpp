// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/nrec_former.h"

namespace heddle {

void nrec_former::arrive(const protocol::thread_arrival& threads) {
    if (free_.empty()) {
        free_.give_back(static_cast<std::uint32_t>(warps_.size()));
        warps_.emplace_back();
    }
    const std::uint32_t index = free_.take();
    warps_[index] = {threads, none};
    (first_ == none ? first_ : warps_[last_].next) = index;
    last_ = index;
    ++count_;
}

void nrec_former::pick(const issue_filter& filter, protocol::thread_issue& issue) {
    issue.count = 0;
    issue.outcome = protocol::turn_outcome::nothing;
    std::uint32_t before = none;
    for (std::uint32_t at = first_; at != none; before = at, at = warps_[at].next) {
        if (filter.accepts(warps_[at].threads.pc)) return take(at, before, issue);
    }
    if (first_ == none) return;
    issue.outcome = protocol::turn_outcome::unit_busy;
    issue.parts[0].pc = warps_[first_].threads.pc;
}

void nrec_former::take(std::uint32_t index, std::uint32_t before, protocol::thread_issue& issue) {
    const warp& taken = warps_[index];
    (before == none ? first_ : warps_[before].next) = taken.next;
    if (last_ == index) last_ = before;
    issue.outcome = protocol::turn_outcome::issued;
    issue.count = 1;
    issue.parts[0] = {taken.threads.block, taken.threads.pc, taken.threads.lanes};
    issue.threads = taken.threads.threads;
    free_.give_back(index);
    --count_;
}

}  // namespace heddle
