// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/cooperation/cooperation_side.h"

#include <utility>

#include "hw/base/report_error.h"
#include "hw/base/turn.h"
#include "hw/smx_scheduler/smx_scheduler_report.h"
#include "models/simt/progress_text.h"

namespace heddle {

using protocol::cooperation_answer;
using protocol::cooperation_call;
using protocol::cooperation_phase;
using protocol::cooperation_request;

cooperation_side::cooperation_side(const parts& with)
    : cooperation_socket("cooperation_socket"), parts_(with) {
    cooperation_socket.register_nb_transport_fw(this, &cooperation_side::take_call);
    for (unsigned sm = 0; sm < with.smx_count; ++sm) {
        calls_.emplace_back(with.owner, with.blocks_per_smx);
    }
}

tlm::tlm_sync_enum cooperation_side::take_call(int sm, cooperation_call& call,
                                               cooperation_phase& phase, sc_core::sc_time&) {
    expect_turn();
    const auto from = static_cast<std::size_t>(sm);
    if (phase != cooperation_phase::request || from >= calls_.size() || call.sm.value() != from ||
        !knows(call.launch) || !calls_[from].push(call_ptr(&call), parts_.configuration.latency)) {
        report_error(smx_scheduler_report::protocol,
                     "call on cooperation_socket; legal: request, one at a time of each block "
                     "of a cooperative launch that runs, through the binding of its SMX");
        return tlm::TLM_ACCEPTED;
    }
    ++calls_under_way_;
    return tlm::TLM_ACCEPTED;
}

void cooperation_side::begin(const launch_ptr& launch, std::uint32_t started) {
    const cooperation_configuration& keys = parts_.configuration;
    const simt::cooperation_rules rules{keys.enabled, keys.query_barrier};
    const auto most = static_cast<std::uint32_t>(launch->grid.count());
    running_.emplace(
        launch->launch,
        state{launch, simt::cooperation_context(most, started, rules), started, {}, {}, {}});
    counts_.launched();
    show_groups();
}

void cooperation_side::block_ended(const protocol::block_dispatch& block, bool last) {
    if (block.outcome == protocol::block_outcome::killed) --dying_;
    if (!last) return;
    running_.erase(block.launch);
    show_groups();
}

bool cooperation_side::cycle() {
    if (calls_under_way_ == 0) return false;
    bool any = false;
    for (inbox<call_ptr>& from : calls_) {
        while (from.ready() != nullptr) {
            const call_ptr call = from.pop();
            --calls_under_way_;
            take(call);
            any = true;
        }
    }
    if (any) show_groups();
    return any;
}

simt::cooperation_terms cooperation_side::terms(const state& of) const {
    return parts_.demand.terms(*of.launch, of.context.most() - of.context.groups(), dying_);
}

void cooperation_side::take(const call_ptr& call) {
    counts_.called();
    state& of = running_.at(call->launch);
    switch (call->request) {
        case cooperation_request::offer_kill: {
            const bool ends = of.context.offer_kill(call->block, terms(of));
            answer(of, call, ends ? cooperation_answer::die : cooperation_answer::go_on);
            break;
        }
        case cooperation_request::request_fork: {
            const std::uint32_t first = of.context.groups();
            call->forked = of.context.request_fork(terms(of));
            fork(of, first, call->forked, call->origin);
            answer(of, call, cooperation_answer::go_on);
            break;
        }
        case cooperation_request::come_back:
            come_back(of, call);
            break;
        default:
            arrive(of, call, terms(of));
    }
    if (of.context.complete()) release(of);
}

void cooperation_side::arrive(state& of, const call_ptr& call,
                              const simt::cooperation_terms& terms) {
    const bool resizing = call->request == cooperation_request::arrive_resizing;
    if (resizing && call->block == 0) of.origin = call->origin;
    switch (of.context.arrive(call->block, resizing, terms)) {
        case simt::cooperation_context::arrival::waits:
            wait(of, call);
            break;
        case simt::cooperation_context::arrival::ends:
            answer(of, call, cooperation_answer::die);
            break;
        case simt::cooperation_context::arrival::mixed:
            answer(of, call, cooperation_answer::refused);
            break;
    }
}

/// The block waits at the barrier here, or without an SMX.
void cooperation_side::wait(state& of, const call_ptr& call) {
    if (!parts_.preempted.leaving(call->sm, call->slot)) {
        of.waiting.push_back(call);
        return;
    }
    of.absent[call->block] = {};
    answer(of, call, cooperation_answer::leave);
}

void cooperation_side::come_back(state& of, const call_ptr& call) {
    const absent_block was = of.absent.at(call->block);
    of.absent.erase(call->block);
    if (!was.released) return wait(of, call);
    call->forked = was.forked;
    answer(of, call, was.ends ? cooperation_answer::die : cooperation_answer::go_on);
}

void cooperation_side::preempt(launch_id launch) {
    const auto found = running_.find(launch);
    if (found == running_.end()) return;
    state& of = found->second;
    for (const call_ptr& call : std::exchange(of.waiting, {})) wait(of, call);
}

void cooperation_side::release(state& of) {
    counts_.released();
    const simt::cooperation_change change = of.context.release(terms(of));
    const std::uint32_t survivors = change.groups - change.killed;
    for (const call_ptr& call : std::exchange(of.waiting, {})) {
        if (call->block == 0) call->forked = change.forked;
        answer(of, call,
               call->block < survivors ? cooperation_answer::go_on : cooperation_answer::die);
    }
    for (auto& [block, left] : of.absent) {
        if (left.released) continue;
        left = {true, block >= survivors, block == 0 ? change.forked : 0};
    }
    fork(of, change.groups, change.forked, of.origin);
}

void cooperation_side::fork(state& of, std::uint32_t first, std::uint32_t count,
                            const newcomer& origin) {
    if (count == 0) return;
    of.unplaced += count;
    counts_.forked(count);
    parts_.forked.add(of.launch, first, count, origin);
}

void cooperation_side::answer(const state& of, const call_ptr& call, cooperation_answer what) {
    call->answer = what;
    call->groups = of.context.groups();
    if (what == cooperation_answer::die) {
        ++dying_;
        counts_.killed();
    }
    cooperation_phase phase = cooperation_phase::answer;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (void)cooperation_socket[static_cast<int>(call->sm.value())]->nb_transport_bw(*call, phase,
                                                                                  delay);
}

void cooperation_side::show_groups() {
    std::uint64_t groups = 0;
    for (const auto& [launch, of] : running_) groups += of.context.groups();
    counts_.active(parts_.owner.domain().edge(), groups);
}

std::string cooperation_side::waiting_for() const {
    std::string text;
    for (const auto& [launch, of] : running_) {
        if (of.context.arrived() == 0) continue;
        text += "; " + simt::global_barrier_text(std::string(of.launch->kernel_name),
                                                 of.context.arrived(), of.context.expected(),
                                                 of.unplaced);
    }
    return text;
}

}  // namespace heddle
