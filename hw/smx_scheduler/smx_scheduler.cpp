// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/smx_scheduler.h"

#include <utility>

#include "hw/base/report_error.h"
#include "hw/protocol/timeline_recorder.h"

namespace heddle {

using protocol::block_dispatch;
using protocol::block_outcome;
using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;

smx_scheduler::smx_scheduler(const sc_core::sc_module_name& name, clock_domain& domain,
                             const smx_scheduler_configuration& configuration,
                             const machine_configuration& machine, unsigned kde_entries,
                             const smx_scheduler_slots& slots, waveform* waves,
                             const smx_scheduler_environment& environment)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      kernel_ready_socket("kernel_ready_socket"),
      block_update_socket("block_update_socket"),
      machine_(machine),
      smxs_(*this, machine.smx_count, machine.smx.max_blocks),
      order_(slots.chain.make({kde_entries, environment.groups.chains}, part_name() + ".kde_chain"),
             kde_entries, machine.smx_count, progress_, machine.coop.preempt),
      entries_(order_, block_update_socket, part_name() + ".updates"),
      room_(machine, environment.launches() || machine.coop.preempt),
      preemption_(machine.smx_count, machine.smx.max_blocks, machine.coop.preempt),
      returning_(order_, preemption_, room_.reserve()),
      forked_(order_, progress_, entries_),
      demand_({order_, progress_, room_, returning_, forked_, preemption_, counts_}),
      cooperation_({*this, machine.smx_count, machine.smx.max_blocks, machine_.coop, demand_,
                    forked_, preemption_}),
      ready_(*this, 2),
      waves_(waves, sc_module::name(), kde_entries, machine.smx_count),
      launching_(make_launching(environment, slots)),
      groups_(launching_->groups()),
      fresh_({order_, progress_, entries_, room_, returning_, cooperation_, *launching_,
              machine.coop.enabled}),
      distribution_({*this, room_, smxs_, progress_, preemption_, cooperation_, forked_, returning_,
                     counts_, waves_, configuration.blocks_per_cycle},
                    {&forked_, &returning_, &fresh_}) {
    kernel_ready_socket.register_nb_transport_fw(this, &smx_scheduler::take_ready);
    if (environment.launches() && waves != nullptr) {
        waves_.declare_groups(*waves, sc_module::name());
    }
}

std::unique_ptr<launching_kernels> smx_scheduler::make_launching(
    const smx_scheduler_environment& environment, const smx_scheduler_slots& slots) {
    if (!environment.launches()) return std::make_unique<launching_kernels>();
    return std::make_unique<group_side>(
        group_side::parts{*this, *environment.runtime, machine_.smx_count, order_, entries_,
                          returning_},
        environment.groups, slots.group_allocator);
}

void smx_scheduler::end_of_elaboration() {
    smxs_.check_bindings();
}

tlm::tlm_sync_enum smx_scheduler::take_ready(kde_update& update, kde_phase&, sc_core::sc_time&) {
    if (update.event != kde_event::kernel_ready || !ready_.push(update_ptr(&update))) {
        report_error(smx_scheduler_report::protocol,
                     "update on kernel_ready_socket; legal: kernel_ready, once a cycle");
    }
    return tlm::TLM_COMPLETED;
}

void smx_scheduler::evaluate() {
    // (1) account of the cycles since the last evaluation
    counts_.begin_cycle(clocked::domain().edge());
    // (2) new kernels join the FCFS order
    while (ready_.ready() != nullptr) take_kernel(*ready_.pop());
    // (3) blocks that have started or finished
    smxs_.take_answers([this](sm_id sm, const block_dispatch& block,
                              std::uint64_t edge) { take_start(sm, block, edge); },
                       [this](sm_id sm, const block_ptr& block) { take_done(sm, *block); });
    // (4) groups join kernels
    aggregated_ = groups_ != nullptr && groups_->cycle();
    // (5) distribution
    distribution_.cycle();
    // (6) calls of cooperative blocks
    cooperated_ = cooperation_.cycle();
}

void smx_scheduler::take_kernel(const kde_update& update) {
    const kernel_launch& launch = *update.kernel;
    const block_resources& need = launch.per_block;
    if (!room_.possible(need)) {
        report_error(smx_scheduler_report::illegal_kernel,
                     "a block of launch " + to_text(update.launch) + " (kernel '" +
                         std::string(launch.kernel_name) + "') takes " +
                         std::to_string(need.threads) + " threads, " +
                         std::to_string(need.registers) + " registers and " +
                         std::to_string(need.charged_bytes()) +
                         " bytes of shared memory; legal: what an empty SMX has");
        return;
    }
    if (!order_.start(update.kde, update.kernel)) {
        report_error(smx_scheduler_report::protocol,
                     "kernel_ready for entry " + std::to_string(update.kde.value()) +
                         ", which has blocks to distribute or does not exist");
    }
}

void smx_scheduler::take_start(sm_id sm, const block_dispatch& block, std::uint64_t edge) {
    room_.ready(sm);
    if (!progress_.starts(block.launch)) return;
    // The last edge at or before the launch, which the host may have made between two edges.
    const frequency& rate = clocked::domain().rate();
    const std::uint64_t launched =
        rate.first_edge_after(protocol::picoseconds(block.kernel->launched_at)) - 1;
    counts_.launch_started(edge - launched);
    launching_->launch_starts(*block.kernel, launched, edge);
}

void smx_scheduler::take_done(sm_id sm, const block_dispatch& block) {
    const bool suspended = launching_->suspends() && block.outcome == block_outcome::suspended;
    const bool preempted = preemption_.enabled() && block.outcome == block_outcome::preempted;
    const bool killed = block.kernel->cooperative && block.outcome == block_outcome::killed;
    const bool legal =
        suspended || killed || preempted || block.outcome == block_outcome::completed;
    if (!legal || block.sm != sm || !room_.leave(block)) {
        report_error(smx_scheduler_report::protocol,
                     "done for block " + std::to_string(block.block) + " of launch " +
                         to_text(block.launch) + " from SMX " + std::to_string(sm.value()) +
                         "; legal: once, with outcome completed, from the SMX that runs it; where "
                         "kernels launch, suspended too, with coop.preempt, preempted");
        return;
    }
    const std::uint64_t edge = clocked::domain().edge();
    const std::uint64_t resident = room_.accounts().resident();
    waves_.changed(sm);
    if (suspended || preempted) {
        counts_.moved(edge, resident);
    } else {
        counts_.finished(edge, resident);
    }
    if (preempted) returning_.add(as_it_returns(block), block_outcome::preempted);
    preemption_.left(block, edge);
    if (suspended) {
        if (block.kernel->cooperative) room_.reserve().add(block.kernel->per_block);
        progress_.suspended(block.launch);
        launching_->suspended(block);
    }
    if (!preempted) leave_entry(block);
}

/// The block has an entry, unless it had been suspended before.
void smx_scheduler::leave_entry(const block_dispatch& block) {
    const bool in_entry = block.kde != protocol::no_kde;
    if (in_entry) entries_.end_block(block);
    if (block.group != null_group) launching_->end_block(block.group);
    if (block.outcome != block_outcome::suspended) end_block(block);
    if (in_entry && entries_.release_if_over(block.kde)) launching_->kernel_over(block.kde);
}

void smx_scheduler::end_block(const block_dispatch& block) {
    const auto over = progress_.block_ended(block.launch);
    if (block.kernel->cooperative) cooperation_.block_ended(block, over.has_value());
    if (over) launching_->launch_ends(block, *over);
}

activity smx_scheduler::update() {
    waves_.show(counts_.dispatched_blocks(), order_.chain(), order_.sscr(), room_.accounts());
    if (waves_.on()) {
        waves_.show_groups(launching_->in_table(), launching_->spilled(), order_.sscr());
        const std::uint32_t dying = cooperation_.dying();
        waves_.show_cooperation(cooperation_.counts().groups(), demand_.wanted(dying), dying);
    }
    // A block that could not be placed waits for something to arrive, which wakes.
    const bool forks = cooperated_ && forked_.pending();
    return distribution_.goes_on() || aggregated_ || forks || !smxs_.idle() ? activity::busy
                                                                            : activity::idle;
}

bool smx_scheduler::empty() const noexcept {
    return distribution_.empty() && ready_.empty() && room_.accounts().resident() == 0 &&
           launching_->idle();
}

std::string smx_scheduler::waiting_for() const {
    if (empty()) {
        return {};
    }
    static constexpr const char* limits[block_limit_count] = {"",
                                                              "a block slot",
                                                              "threads",
                                                              "registers",
                                                              "shared memory",
                                                              "private memory",
                                                              "an SMX to start its last block"};
    std::string text = std::to_string(room_.accounts().resident()) + " blocks to finish";
    text += launching_->waiting_for();
    text += cooperation_.waiting_for();
    const std::size_t away = preemption_.away();
    if (away != 0) text += "; " + std::to_string(away) + " preempted blocks to come back";
    if (returning_.size() != away) {
        text += "; " + std::to_string(returning_.size() - away) + " suspended blocks to come back";
    }
    const control_register& sscr = order_.sscr();
    const protocol::launched_block* const back =
        returning_.pending() ? returning_.first() : nullptr;
    if (counts_.stall() != block_limit::none && (back != nullptr || sscr.valid())) {
        const std::uint32_t block = back != nullptr ? back->block : sscr.next_block();
        const launch_id launch = back != nullptr ? back->launch : sscr.launch()->launch;
        text += "; block " + std::to_string(block) + " of launch " + to_text(launch) +
                " and all that come later wait for " +
                limits[static_cast<std::size_t>(counts_.stall())];
    }
    return text;
}

void smx_scheduler::collect(statistics& out, const std::string& scope) const {
    const std::uint64_t edge = clocked::domain().edge();
    counts_.collect(out, scope, edge);
    if (cooperation_.counts().launches() != 0) cooperation_.counts().collect(out, "coop", edge);
    if (preemption_.enabled()) preemption_.counts().collect(out, "coop.preempt");
}

}  // namespace heddle
