// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/warp_scheduler/warp_scheduler.h"

#include <array>

#include "hw/base/report_error.h"
#include "hw/smx/warp_scheduler/recency_register.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx/warp_scheduler/warp_age.h"
#include "models/base/bits.h"

namespace heddle {

using protocol::maximum_warps;
using protocol::warp_mask;

/// What a waveform shows; the ages are those of the allocation, whatever the policy makes of them.
struct warp_scheduler::traced_state {
    const unsigned slots;  ///< up to the last one of its own
    wave_bits issuable, ready;
    wave_integer issues, last_warp;
    std::array<wave_integer, maximum_warps> ranks;
    warp_age age;
    warp_mask resident = 0;
    /// Of the memory-first policies; the Recency Register is a copy that sees the same events.
    bool has_queues, has_recency;
    wave_bits memory_queue, computation_queue, recency;
    std::array<wave_integer, maximum_warps> counters;
    recency_register recency_state;

    traced_state(waveform& waves, const std::string& name,
                 const warp_scheduler_configuration& configuration, warp_mask own)
        : slots(64 - static_cast<unsigned>(__builtin_clzll(own | 1))),
          issuable(waves.declare_bits(name + ".issuable", slots)),
          ready(waves.declare_bits(name + ".ready", slots)),
          issues(waves.declare_integer(name + ".issues")),
          last_warp(waves.declare_integer(name + ".last_warp")),
          has_queues(needs_of(configuration).shows_queues),
          has_recency(needs_of(configuration).shows_recency) {
        waves.declare_text(name + ".policy").set(selection_policies::name(configuration.scheduler));
        issues.set(0);
        last_warp.set(-1);
        for (; own != 0; own &= own - 1) {
            const unsigned slot = bits::first(own);
            ranks[slot] = waves.declare_integer(name + ".rank_" + std::to_string(slot));
            ranks[slot].set(-1);
        }
        if (has_queues) {
            memory_queue = waves.declare_bits(name + ".memory_queue", slots);
            computation_queue = waves.declare_bits(name + ".computation_queue", slots);
        }
        if (!has_recency) return;
        recency = waves.declare_bits(name + ".recency", maximum_warps);
        for (unsigned slot = 0; slot < maximum_warps; ++slot) {
            counters[slot] =
                waves.declare_integer(name + ".recency_counter_" + std::to_string(slot));
            counters[slot].set(-1);
        }
    }

    void take_recency(const selection_inputs& in) {
        for (warp_mask left = gone_warps(recency_state.active(), in.resident, in.started);
             left != 0; left &= left - 1) {
            recency_state.gone(bits::first(left));
            counters[bits::first(left)].set(-1);
        }
        for (warp_mask left = in.started; left != 0; left &= left - 1) {
            recency_state.started(bits::first(left));
        }
        for (warp_mask left = completions(in); left != 0; left &= left - 1) {
            recency_state.completed(bits::first(left));
        }
        recency.set(recency_state.recent());
        for (warp_mask left = recency_state.active(); left != 0; left &= left - 1) {
            counters[bits::first(left)].set(recency_state.counter(bits::first(left)));
        }
    }

    void take(const selection_inputs& in, warp_mask own) {
        const warp_mask gone = gone_warps(resident, in.resident, in.started);
        resident = in.resident;
        if ((gone | in.started) == 0) {
            return;
        }
        for (warp_mask left = gone; left != 0; left &= left - 1) {
            age.gone(bits::first(left));
        }
        for (warp_mask left = in.started; left != 0; left &= left - 1) {
            age.started(bits::first(left));
        }
        for (warp_mask left = own; left != 0; left &= left - 1) {
            const unsigned slot = bits::first(left);
            const bool live = (age.live() >> slot & 1) != 0;
            ranks[slot].set(live ? __builtin_popcountll(age.older(slot, age.live() & own)) : -1);
        }
    }
};

warp_scheduler::warp_scheduler(const sc_core::sc_module_name& name, unsigned index, warp_mask own,
                               const warp_scheduler_configuration& configuration,
                               const slot_maker<warp_selection_traits>& selections, waveform* waves,
                               const warp_view& view)
    : sc_module(name),
      socket("socket"),
      index_(index),
      own_(own),
      selection_(
          selections.make({configuration, own_, &view}, std::string(this->name()) + ".selection")) {
    socket.register_nb_transport_fw(this, &warp_scheduler::select);
    if (waves != nullptr) {
        traced_ = std::make_unique<traced_state>(*waves, this->name(), configuration, own_);
    }
}

warp_scheduler::~warp_scheduler() = default;

tlm::tlm_sync_enum warp_scheduler::select(protocol::warp_cycle& cycle, protocol::warp_phase& phase,
                                          sc_core::sc_time&) {
    cycle.decision = {};
    if (phase != protocol::warp_phase::select || cycle.scheduler != index_) {
        report(cycle, phase);
        return tlm::TLM_COMPLETED;
    }
    const protocol::warp_status& s = cycle.status;
    const warp_mask issuable = s.issuable & own_;
    if ((issuable | s.started | s.memory_done | s.lost_locality | (s.resident ^ resident_)) == 0) {
        return tlm::TLM_COMPLETED;  // a call that may as well be left out
    }
    resident_ = s.resident;
    const selection_inputs in{s.resident,    s.ready,   issuable,        s.memory, s.long_latency,
                              s.memory_done, s.started, s.lost_locality, s.cycle};
    const warp_selection::outputs decision = selection_->decide(in);
    selection_->clock_edge();
    if (last_ < maximum_warps && (s.started >> last_ & 1) != 0) {
        last_ = maximum_warps;
    }
    if (decision.valid) {
        switches_ += decision.warp != last_ && issues_ != 0 ? 1 : 0;
        ++issues_;
        last_ = decision.warp;
        cycle.decision = {true, warp_slot(decision.warp)};
    } else {
        held_back_ += issuable != 0 ? 1 : 0;
    }
    if (traced_ != nullptr) {
        trace(in, decision.valid);
    }
    return tlm::TLM_COMPLETED;
}

void warp_scheduler::report(const protocol::warp_cycle& cycle, protocol::warp_phase phase) const {
    if (phase != protocol::warp_phase::select) {
        report_error(warp_scheduler_report::phase,
                     std::string(name()) + ": phase " +
                         std::to_string(static_cast<unsigned>(phase)) + "; legal: 0 (select)");
    } else {
        report_error(warp_scheduler_report::address,
                     std::string(name()) + ": called as scheduler " +
                         std::to_string(cycle.scheduler) + ", it is " + std::to_string(index_));
    }
}

void warp_scheduler::trace(const selection_inputs& in, bool issued) {
    if (issued) {
        traced_->issuable.set(in.issuable);
        traced_->ready.set(in.ready & own_);
        traced_->issues.set(static_cast<std::int64_t>(issues_));
        traced_->last_warp.set(last_);
        if (traced_->has_queues) {
            traced_->memory_queue.set(in.ready & in.memory & own_);
            traced_->computation_queue.set(in.ready & ~in.memory & own_);
        }
    }
    traced_->take(in, own_);
    if (traced_->has_recency) traced_->take_recency(in);
}

void warp_scheduler::collect(statistics& into, const std::string& scope) const {
    into.declare(scope, warp_scheduler_statistics);
    into.set(scope + ".issues", issues_);
    into.set(scope + ".switches", switches_);
    into.set(scope + ".held_back", held_back_);
}

}  // namespace heddle
