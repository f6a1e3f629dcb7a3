// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/mimd_former.h"

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
        threads_.add(need, {threads.pc, threads.block, threads.threads[lane]});
    });
}

lane_mask mimd_former::free_lanes(unsigned need) const noexcept {
    if (all_free_at_[need] <= now_) return bits::below(warp_size_);
    lane_mask free = 0;
    for (unsigned lane = 0; lane < warp_size_; ++lane) {
        free |= lane_mask{free_at_[need][lane] <= now_} << lane;
    }
    return free;
}

void mimd_former::pick(const issue_filter& filter, thread_issue& issue) {
    issue.count = 0;
    issue.outcome = protocol::turn_outcome::nothing;
    if (threads_.size() == 0) return;
    std::array<lane_mask, queues::needs> free{};
    std::uint32_t able = threads_.present() & filter.accepting();  // needs that find a lane
    bits::for_each(able, [&](unsigned need) { free[need] = free_lanes(need); });
    lane_mask left = bits::below(warp_size_);
    while (true) {
        bits::for_each(able, [&](unsigned need) {
            if ((left & free[need]) == 0) able &= ~(1U << need);
        });
        if (able == 0) break;
        const unsigned need = threads_.oldest(able);
        const unsigned lane = bits::first(left & free[need]);
        give_out(need, lane, issue);
        able &= threads_.present();
        left &= ~bits::one(lane);
    }
    if (issue.count != 0) {
        issue.outcome = protocol::turn_outcome::issued;
        return;
    }
    issue.outcome = protocol::turn_outcome::unit_busy;
    issue.parts[0].pc = threads_.first(threads_.oldest(threads_.present())).pc;
}

/// The first thread with the need issues in `lane`, in the part of its block and PC.
void mimd_former::give_out(unsigned need, unsigned lane, thread_issue& issue) {
    const thread taken = threads_.first(need);
    threads_.remove_first(need);
    // Most often that of the thread before.
    unsigned behind = issue.count;
    while (behind != 0 && (issue.parts[behind - 1].pc != taken.pc ||
                           issue.parts[behind - 1].block != taken.block)) {
        --behind;
    }
    if (behind == 0) {
        issue.parts[issue.count] = {taken.block, taken.pc, 0};
        behind = ++issue.count;
    }
    issue.parts[behind - 1].lanes |= bits::one(lane);
    issue.threads[lane] = taken.number;
    free_at_[need][lane] = all_free_at_[need] = now_ + interval_[need];
}

/// A lane's unit that becomes free may have been waited for.
std::uint64_t mimd_former::next_change() const {
    return threads_.size() == 0 ? protocol::thread_turn::never : 1;
}

}  // namespace heddle
