// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/edge_loop.h"

#include <algorithm>

#include "hw/base/clock_domain.h"
#include "hw/base/crew.h"
#include "hw/base/present.h"

namespace heddle {

void edge_loop::remove(clock_domain& domain) {
    domains_.erase(std::remove(domains_.begin(), domains_.end(), &domain), domains_.end());
}

void edge_loop::run_edge_of(clock_domain& domain) {
    if (!domain.run_scheduled_edge()) stopped_ = true;
}

/// Also when the run ends at this instant, all domains complete their edges of it.
void edge_loop::run_instant(std::uint64_t time) {
    due_.clear();
    while (!queue_.empty() && queue_.top().time == time) {
        const edge_queue::entry next = queue_.top();
        queue_.pop();
        if (next.order == next.domain->scheduled_order_) due_.push_back(next.domain);
    }
    if (crew_ != nullptr) return share_instant();
    for (clock_domain* const domain : due_) run_edge_of(*domain);
}

/// All edges of this instant begin before one of them runs.
void edge_loop::share_instant() {
    for (clock_domain* const domain : due_) domain->begin_edge();
    if (crew_->worth(domains_, due_)) {
        crew_->run(due_);
    } else {
        for (clock_domain* const domain : due_) domain->run_awake();
    }
    for (clock_domain* const domain : due_) {
        if (!domain->finish_edge()) stopped_ = true;
    }
}

void edge_loop::run_edges() {
    const std::uint64_t kernel = sc_core::sc_time_stamp().value();
    const std::uint64_t ticks_per_ps = domains_.front()->ticks_per_ps_;
    const auto kernel_idle_until = [&] {
        return std::min<std::uint64_t>(limit_,
                                       kernel + sc_core::sc_time_to_pending_activity().value());
    };
    std::uint64_t limit = std::max(kernel + 1, kernel_idle_until());  // what is due now is run
    while (!stopped_ && !queue_.empty()) {
        const edge_queue::entry next = queue_.top();
        if (next.order != next.domain->scheduled_order_) {
            queue_.pop();  // it was told of an earlier edge since
            continue;
        }
        if (next.time * ticks_per_ps >= limit) break;
        run_instant(next.time);
        if (present::kernel_told()) limit = std::min(limit, kernel_idle_until());
    }
}

void edge_loop::run(clock_domain& due) {
    struct work {
        explicit work(bool& flag) : flag(flag) { flag = true; }
        ~work() { flag = false; }
        bool& flag;
    };
    for (clock_domain* const domain : domains_) domain->edge_event_.cancel();
    {
        const work now(at_work_);
        if (due.executed_edges_ == 0) run_edge_of(due);  // of edge 0 nobody has told
        run_edges();
    }
    if (stopped_) return;
    for (clock_domain* const domain : domains_) domain->notify_kernel();
}

}  // namespace heddle
