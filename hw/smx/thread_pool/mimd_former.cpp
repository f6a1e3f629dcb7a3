// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/mimd_former.h"

#include <algorithm>

#include "models/base/bits.h"

namespace heddle {

using protocol::lane_mask;
using protocol::thread_issue;

mimd_former::mimd_former(const group_former_setting& setting)
    : needs_(setting.needs), warp_size_(setting.warp_size) {
    for (std::size_t unit = 0; unit < unit_class_count; ++unit) {
        interval_[unit] = setting.smx.units[unit].initiation_interval;
    }
}

void mimd_former::arrive(const protocol::thread_arrival& threads) {
    const issue_need need = needs_.at(threads.pc);
    bits::for_each(threads.lanes, [&](unsigned lane) {
        if (free_.empty()) {
            free_.give_back(static_cast<std::uint32_t>(threads_.size()));
            threads_.emplace_back();
        }
        const std::uint32_t index = free_.take();
        threads_[index] = {arrivals_++, none, threads.pc, threads.block, threads.threads[lane]};
        waiting& list = waiting_[need];
        (list.first == none ? list.first : threads_[list.last].next) = index;
        list.last = index;
        ++count_;
    });
}

void mimd_former::pick(const issue_filter& filter, thread_issue& issue) {
    issue.count = 0;
    issue.outcome = protocol::turn_outcome::nothing;
    if (count_ == 0) return;
    for (std::size_t need = 0; need < needs; ++need) {
        free_lanes_[need] = 0;
        for (unsigned lane = 0; lane < warp_size_; ++lane) {
            free_lanes_[need] |= lane_mask{free_at_[need][lane] <= now_} << lane;
        }
    }
    lane_mask left = bits::below(warp_size_);
    while (left != 0) {
        const std::size_t need = next_need(filter.accepting(), left);
        if (need == needs) break;
        const unsigned lane = bits::first(left & free_lanes_[need]);
        give_out(need, lane, issue);
        left &= ~bits::one(lane);
    }
    if (issue.count != 0) {
        issue.outcome = protocol::turn_outcome::issued;
        return;
    }
    std::size_t first = needs;
    for (std::size_t need = 0; need < needs; ++need) {
        if (waiting_[need].first != none && came_before(need, first)) first = need;
    }
    issue.outcome = protocol::turn_outcome::unit_busy;
    issue.parts[0].pc = threads_[waiting_[first].first].pc;
}

bool mimd_former::came_before(std::size_t a, std::size_t b) const {
    return b == needs || threads_[waiting_[a].first].order < threads_[waiting_[b].first].order;
}

std::size_t mimd_former::next_need(std::uint32_t accepted, lane_mask left) const {
    std::size_t found = needs;
    for (std::size_t need = 0; need < needs; ++need) {
        const bool issues = (accepted >> need & 1U) != 0 && waiting_[need].first != none &&
                            (left & free_lanes_[need]) != 0;
        if (issues && came_before(need, found)) found = need;
    }
    return found;
}

/// The first thread with the need issues in `lane`, in the part of its block and PC.
void mimd_former::give_out(std::size_t need, unsigned lane, thread_issue& issue) {
    waiting& list = waiting_[need];
    const std::uint32_t index = list.first;
    const thread& taken = threads_[index];
    list.first = taken.next;
    unsigned part = 0;
    while (part < issue.count &&
           (issue.parts[part].pc != taken.pc || issue.parts[part].block != taken.block)) {
        ++part;
    }
    if (part == issue.count) issue.parts[issue.count++] = {taken.block, taken.pc, 0};
    issue.parts[part].lanes |= bits::one(lane);
    issue.threads[lane] = taken.number;
    free_at_[need][lane] = now_ + interval_[need];
    free_.give_back(index);
    --count_;
}

/// A lane's unit that becomes free may have been waited for.
std::uint64_t mimd_former::next_change() const {
    return count_ == 0 ? protocol::thread_turn::never : 1;
}

}  // namespace heddle
