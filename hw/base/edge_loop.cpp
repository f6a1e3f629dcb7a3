// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/edge_loop.h"

#include <algorithm>
#include <utility>

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

/// A domain may have been told of an earlier edge since.
void edge_loop::drop_old_entries() {
    while (!queue_.empty() && queue_.top().order != queue_.top().domain->scheduled_order_) {
        queue_.pop();
    }
}

/// Whether the edge that is due may run at the instant that comes next, which is before `limit`.
bool edge_loop::may_be_late(std::uint64_t limit) {
    if (due_.size() != 1 || late_ != nullptr || !crew_->may_be_late(*due_.front())) return false;
    drop_old_entries();
    return !queue_.empty() && queue_.top().time * due_.front()->ticks_per_ps_ < limit &&
           crew_->may_wait_until(queue_.top().time);
}

/// Also when the run ends at this instant, all domains complete their edges of it.
void edge_loop::run_instant(std::uint64_t time, std::uint64_t limit) {
    due_.clear();
    while (!queue_.empty() && queue_.top().time == time) {
        const edge_queue::entry next = queue_.top();
        queue_.pop();
        if (next.order == next.domain->scheduled_order_) due_.push_back(next.domain);
    }
    if (crew_ == nullptr) {
        for (clock_domain* const domain : due_) run_edge_of(*domain);
    } else if (may_be_late(limit)) {
        late_ = due_.front();
    } else {
        share_instant(time);
    }
}

/// All edges of this instant begin before one of them runs. Late edges run before them where the
/// main thread may look at the parts: for a series of statistics, or in parts that are not shared.
void edge_loop::share_instant(std::uint64_t time) {
    clock_domain* late = std::exchange(late_, nullptr);
    const auto catch_up = [&] {
        if (late == nullptr) return false;
        while (late->scheduled_time_ < time) {
            late->begin_edge();
            late->run_awake();
            late->count_edge();
            late->schedule_next();
        }
        const bool due = late->scheduled_time_ == time;
        if (due) due_.push_back(late);
        late = nullptr;
        return due;
    };
    if (due_.front()->control_->looks_before(time)) (void)catch_up();
    for (clock_domain* const domain : due_) domain->begin_edge();
    const bool shares = crew_->worth(domains_, due_);
    if (late != nullptr && (!shares || crew_->main_thread_has_parts(due_)) && catch_up()) {
        due_.back()->begin_edge();
    }
    if (shares) {
        crew_->run(due_, late);
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
    for (drop_old_entries(); !stopped_ && !queue_.empty(); drop_old_entries()) {
        const edge_queue::entry next = queue_.top();
        if (next.time * ticks_per_ps >= limit) break;
        run_instant(next.time, limit);
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
