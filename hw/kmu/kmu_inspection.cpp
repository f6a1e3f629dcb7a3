// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the KMU inspects, and in which turn: hardware work queues, pool, suspended blocks.
#include <utility>

#include "hw/kmu/kmu.h"
#include "models/base/bits.h"

namespace heddle {

bool kmu::pool_ready() const noexcept {
    return pool_.ready() && pipeline_.size() < pool_window;
}

bool kmu::suspended_ready() const noexcept {
    return suspended_.ready() && !returns_.full();
}

/// True if it is the turn of a suspended block.
bool kmu::inspect_suspended(bool others) {
    if (!suspended_ready()) return false;
    const bool turn = next_.suspended || !others;
    if (others) next_.suspended = !turn;
    if (turn) returns_.push({suspended_.take(), dispatch_due(true)});
    return turn;
}

void kmu::inspect() {
    if (clocked::domain().edge() < next_.inspection) return;
    const bool from_queues = queues_ready() != 0;
    const bool from_pool = pool_ready();
    if (inspect_suspended(from_queues || from_pool)) return;
    if (!from_queues && !from_pool) {
        return;
    }
    const bool pool = from_pool && (next_.pool || !from_queues);
    if (from_pool && from_queues) next_.pool = !pool;
    const queued_launch& head = pool ? inspect_pool() : inspect_queues();
    counts_.queue_wait.add(clocked::domain().edge() - head.arrived);
    in_entries_[head.launch->launch] = false;
    pipeline_.push({head.launch, dispatch_due(!pool || !environment_.ideal)});
}

/// The edge at which what is inspected now leaves the KMU. Nothing is inspected before the interval
/// is over.
std::uint64_t kmu::dispatch_due(bool takes_time) {
    const std::uint64_t now = clocked::domain().edge();
    if (!takes_time) return now;
    // The link itself takes the last cycle of the latency.
    const std::uint64_t due = now + configuration_.dispatch_latency - 1;
    if (due > now) wake_at(due);
    next_.inspection = now + configuration_.dispatch_interval;
    if (configuration_.dispatch_interval > 1) wake_at(next_.inspection);
    return due;
}

/// Queues whose head may be dispatched.
std::uint64_t kmu::queues_ready() const noexcept {
    std::uint64_t ready = queues_.ready();
    if (cooperative_ < environment_.most_cooperative) return ready;
    for (std::uint64_t rest = ready; rest != 0; rest &= rest - 1) {
        const auto queue = static_cast<unsigned>(__builtin_ctzll(rest));
        if (queues_.head(queue).launch->cooperative) ready &= ~bits::one(queue);
    }
    return ready;
}

kmu::queued_launch& kmu::inspect_queues() {
    const unsigned queue = picker_->decide({queues_ready()}).queue;
    picker_->clock_edge();
    queued_launch& head = running_[queue] = queues_.dispatch(queue);
    waves_.changed(queue);
    host_queues_[head.launch->launch] = queue;
    if (head.launch->cooperative) ++cooperative_;
    return head;
}

kmu::queued_launch& kmu::inspect_pool() {
    queued_launch head = pool_.take();
    const launch_id launch = head.launch->launch;
    return under_way_[launch] = std::move(head);
}

}  // namespace heddle
