// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/thread_pool.h"

#include <algorithm>

#include "hw/base/report_error.h"

namespace heddle {

using protocol::thread_turn;
using protocol::turn_outcome;

struct thread_pool::traced_state {
    wave_integer groups, heap, arriving, overflow;
    wave_state outcome;
    wave_bits pc, lanes;

    traced_state(waveform& waves, const std::string& name, unsigned warp_size)
        : groups(waves.declare_integer(name + ".groups")),
          heap(waves.declare_integer(name + ".heap")),
          arriving(waves.declare_integer(name + ".arriving")),
          overflow(waves.declare_integer(name + ".overflow")),
          outcome(waves.declare_state(name + ".outcome",
                                      {"issued", "nothing", "forming", "unit_busy"})),
          pc(waves.declare_bits(name + ".pc", 32)),
          lanes(waves.declare_bits(name + ".lanes", warp_size)) {}

    [[gnu::noinline]] void take(const former_occupancy& now, const protocol::thread_issue& issue) {
        groups.set(now.groups);
        heap.set(now.heap);
        arriving.set(now.arriving);
        overflow.set(now.overflow);
        outcome.set(static_cast<std::uint64_t>(issue.outcome));
        if (issue.count == 0) return;
        protocol::lane_mask all = 0;
        for (unsigned n = 0; n < issue.count; ++n) all |= issue.parts[n].lanes;
        pc.set(issue.parts[0].pc);
        lanes.set(all);
    }
};

thread_pool::thread_pool(const sc_core::sc_module_name& name, const thread_pool_setting& setting,
                         waveform* waves)
    : sc_module(name),
      socket("socket"),
      interval_(setting.smx.issue_interval),
      former_(make_group_former({setting, needs_})) {
    socket.register_nb_transport_fw(this, &thread_pool::turn);
    if (waves == nullptr) return;
    traced_ = std::make_unique<traced_state>(*waves, this->name(), setting.warp_size);
    former_->trace(*waves, this->name());
}

thread_pool::~thread_pool() = default;

tlm::tlm_sync_enum thread_pool::turn(thread_turn& turn, protocol::thread_phase& phase,
                                     sc_core::sc_time&) {
    turn.issue.count = 0;
    turn.issue.conflict_clocks = 0;
    turn.issue.outcome = turn_outcome::nothing;
    if (phase != protocol::thread_phase::turn) {
        report_error(thread_pool_phase_report, std::string(name()) + ": phase " +
                                                   std::to_string(static_cast<unsigned>(phase)) +
                                                   "; legal: 0 (turn)");
        return tlm::TLM_COMPLETED;
    }
    if (!follows_last(turn)) return tlm::TLM_COMPLETED;
    if (turn.program != nullptr) {
        const former_occupancy here = former_->occupancy();
        if (here.groups + here.arriving + here.overflow != 0) {
            report_error(
                thread_pool_program_report,
                std::string(name()) + ": a program; legal: while no thread is in the pool");
        }
        needs_ = {turn.program->base, turn.program->needs};
        former_->use_program(*turn.program);
    }
    for (std::uint32_t n = 0; n < turn.arrival_count; ++n) former_->arrive(turn.arrivals[n]);
    former_->pass(turns_ == 0 ? interval_ : turn.cycle - last_);
    calls_ = turn.cycle == last_ && turns_ != 0 ? calls_ + 1 : 1;
    last_ = turn.cycle;
    ++turns_;
    former_->pick({needs_, turn.accepting}, turn.issue);
    issues_ += turn.issue.outcome == turn_outcome::issued ? 1 : 0;
    const std::uint64_t clocks = former_->next_change();
    turn.next_change = clocks == thread_turn::never ? clocks : turn.cycle + clocks;
    const former_occupancy now = former_->occupancy();
    if (now.groups != groups_.level()) {
        count_size(sizes_, turn.cycle);
        changed_ = turn.cycle;
        groups_.set(turn.cycle, now.groups);
    }
    maximum_heap_ = std::max(maximum_heap_, now.heap);
    if (traced_ != nullptr) {
        traced_->take(now, turn.issue);
        former_->publish();
    }
    return tlm::TLM_COMPLETED;
}

void thread_pool::count_size(histogram& into, std::uint64_t now) const {
    if (groups_.level() != 0 && now > changed_) into.add(groups_.level(), now - changed_);
}

/// The cycle is a later one, or the same in its next call.
bool thread_pool::follows_last(const thread_turn& turn) const {
    const bool first = turns_ == 0 || turn.cycle > last_;
    if (first ? turn.calls_before == 0 : turn.cycle == last_ && turn.calls_before == calls_) {
        return true;
    }
    report_error(thread_pool_order_report,
                 std::string(name()) + ": call " + std::to_string(turn.calls_before) +
                     " of cycle " + std::to_string(turn.cycle) + " after call " +
                     std::to_string(calls_ - 1) + " of cycle " + std::to_string(last_));
    return false;
}

void thread_pool::collect(statistics& into, const std::string& scope, std::uint64_t now) const {
    into.declare(scope, thread_pool_statistics);
    into.set(scope + ".groups", groups_.mean(now));
    histogram sizes = sizes_;
    count_size(sizes, now);
    into.set(scope + ".sizes", sizes);
    into.set(scope + ".maximum_groups", groups_.maximum());
    into.set(scope + ".maximum_heap", std::uint64_t{maximum_heap_});
    into.set(scope + ".turns", turns_);
    into.set(scope + ".issues", issues_);
    former_->collect(into, scope);
}

}  // namespace heddle
