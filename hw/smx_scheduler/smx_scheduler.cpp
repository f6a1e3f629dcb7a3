// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/smx_scheduler.h"

#include <algorithm>
#include <utility>

#include "hw/protocol/transaction_recorder.h"
#include "models/simt/private_layout.h"

namespace heddle {

using protocol::block_dispatch;
using protocol::block_phase;
using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;

namespace {

/// Where blocks leave their SMX, they keep regions: as many as half of the runtime reserve
/// holds.
std::uint32_t regions_of(const machine_configuration& machine, bool suspends) {
    const std::uint32_t resident =
        machine.smx_count * (machine.smx.max_threads / machine.warp_size);
    const simt::private_layout layout{machine.smx.private_bytes, machine.warp_size};
    constexpr std::uint32_t half = program::reserve_window.size / 2;
    return suspends ? std::max(resident, half / layout.region_bytes()) : resident;
}

}  // namespace

smx_scheduler::smx_scheduler(const sc_core::sc_module_name& name, clock_domain& domain,
                             const smx_scheduler_configuration& configuration,
                             const machine_configuration& machine, unsigned kde_entries,
                             const smx_scheduler_slots& slots, waveform* waves,
                             const smx_scheduler_environment& environment)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      kernel_ready_socket("kernel_ready_socket"),
      block_update_socket("block_update_socket"),
      block_socket("block_socket"),
      preempt_socket("preempt_socket"),
      configuration_(configuration),
      machine_(machine),
      chain_(slots.chain.make({kde_entries, environment.groups.chains},
                              std::string(sc_module::name()) + ".kde_chain")),
      regions_(regions_of(machine, environment.runtime != nullptr || machine.coop.preempt)),
      resident_regions_(machine.smx_count * (machine.smx.max_threads / machine.warp_size)),
      accounts_(machine.smx_count, machine.smx),
      kernels_(kde_entries, *chain_),
      sscr_(machine.smx_count),
      cooperation_(
          {*this, machine.smx_count, machine.smx.max_blocks, machine_.coop, environment.resizes,
           [this](const kernel_launch& of, std::uint32_t room) { return terms(of, room); },
           [this](const launch_ptr& of, kde_index kde, std::uint32_t first, std::uint32_t count,
                  const newcomer& origin) { fork(of, kde, first, count, origin); },
           [this](sm_id sm, block_slot slot) {
               return preemption_ != nullptr && preemption_->leaving(sm, slot);
           }}),
      ready_(*this, 2),
      answered_((machine.smx_count + 63) / 64),
      blocks_(std::string(sc_module::name()) + ".blocks"),
      updates_(std::string(sc_module::name()) + ".updates"),
      waves_(waves, sc_module::name(), kde_entries, machine.smx_count) {
    kernel_ready_socket.register_nb_transport_fw(this, &smx_scheduler::take_ready);
    block_socket.register_nb_transport_bw(this, &smx_scheduler::take_answer);
    if (environment.runtime != nullptr) {
        groups_ = std::make_unique<group_side>(
            group_side::parts{*this, *environment.runtime, machine.smx_count, *chain_, sscr_,
                              kernels_, block_update_socket,
                              [this](const kde_update& update) { take_return(update); }},
            environment.groups, slots.group_allocator);
        if (waves != nullptr) waves_.declare_groups(*waves, sc_module::name());
    }
    if (machine.coop.preempt && environment.resizes) {
        preemption_ = std::make_unique<preemption>(machine.smx_count, machine.smx.max_blocks);
    }
    links_.reserve(machine.smx_count);
    for (unsigned sm = 0; sm < machine.smx_count; ++sm) {
        links_.emplace_back(
            smx_link{inbox<start>(*this, 1), inbox<block_ptr>(*this, machine.smx.max_blocks)});
    }
}

void smx_scheduler::end_of_elaboration() {
    if (block_socket.size() != machine_.smx_count) {
        SC_REPORT_ERROR(smx_scheduler_report::protocol,
                        ("block_socket is bound to " + std::to_string(block_socket.size()) +
                         " SMXs; legal: " + std::to_string(machine_.smx_count))
                            .c_str());
    }
}

tlm::tlm_sync_enum smx_scheduler::take_ready(kde_update& update, kde_phase&, sc_core::sc_time&) {
    if (update.event != kde_event::kernel_ready || !ready_.push(update_ptr(&update))) {
        SC_REPORT_ERROR(smx_scheduler_report::protocol,
                        "update on kernel_ready_socket; legal: kernel_ready, once a cycle");
    }
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum smx_scheduler::take_answer(int sm, block_dispatch& block, block_phase& phase,
                                              sc_core::sc_time&) {
    const auto from = static_cast<unsigned>(sm);
    smx_link& link = links_[sm_id(from)];
    answered_[from / 64] |= std::uint64_t{1} << (from % 64);
    switch (phase) {
        case block_phase::started:
            if (link.starts.push({block_ptr(&block), clocked::domain().edge()})) {
                return tlm::TLM_ACCEPTED;
            }
            break;
        case block_phase::done:
            if (link.dones.push(block_ptr(&block))) {
                return tlm::TLM_COMPLETED;
            }
            break;
        case block_phase::dispatch:
            break;
    }
    SC_REPORT_ERROR(smx_scheduler_report::protocol,
                    ("answer of SMX " + std::to_string(from) + " for block " +
                     std::to_string(block.block) + " of launch " + to_text(block.launch) +
                     "; legal: started once, then done, for a block that was dispatched")
                        .c_str());
    return tlm::TLM_ACCEPTED;
}

void smx_scheduler::evaluate() {
    // (1) account of the cycles since the last evaluation
    counts_.begin_cycle(clocked::domain().edge());
    // (2) new kernels join the FCFS order
    take_kernels();
    // (3) blocks that have started or finished
    take_answers();
    // (4) groups join kernels
    aggregated_ = groups_ && groups_->cycle();
    // (5) distribution
    distribute_blocks();
    // (6) calls of cooperative blocks
    cooperated_ = cooperation_.cycle();
}

void smx_scheduler::take_kernels() {
    while (ready_.ready() != nullptr) {
        const update_ptr update = ready_.pop();
        take_kernel(*update);
    }
}

void smx_scheduler::take_kernel(const kde_update& update) {
    const kernel_launch& launch = *update.kernel;
    const block_resources& need = launch.per_block;
    if (!accounts_.possible(need)) {
        SC_REPORT_ERROR(
            smx_scheduler_report::illegal_kernel,
            ("a block of launch " + to_text(update.launch) + " (kernel '" +
             std::string(launch.kernel_name) + "') takes " + std::to_string(need.threads) +
             " threads, " + std::to_string(need.registers) + " registers and " +
             std::to_string(need.charged_bytes()) +
             " bytes of shared memory; legal: what an empty SMX has")
                .c_str());
        return;
    }
    const bool gives = gives_way();
    if (!chain_->start(update.kde, launch.priority, sscr_.valid() && !gives)) {
        SC_REPORT_ERROR(smx_scheduler_report::protocol,
                        ("kernel_ready for entry " + std::to_string(update.kde.value()) +
                         ", which has blocks to distribute or does not exist")
                            .c_str());
        return;
    }
    kernels_.start(update.kde, update.kernel);
    if (gives && chain_->head().kde == update.kde) interrupt();
}

void smx_scheduler::take_answers() {
    for (std::size_t word = 0; word < answered_.size(); ++word) {
        for (std::uint64_t rest = answered_[word]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<unsigned>(__builtin_ctzll(rest));
            const sm_id sm(word * 64 + bit);
            smx_link& link = links_[sm];
            if (link.starts.ready() != nullptr) {
                const start started = link.starts.pop();
                accounts_.ready(sm);
                take_start(*started.block, started.edge);
            }
            if (link.dones.ready() != nullptr) {
                take_done(sm, link.dones.pop());
            }
            if (link.starts.empty() && link.dones.empty()) {
                answered_[word] &= ~(std::uint64_t{1} << bit);
            }
        }
    }
}

void smx_scheduler::take_start(const block_dispatch& block, std::uint64_t edge) {
    if (std::exchange(block.kernel->started, true)) {
        return;
    }
    // The last edge at or before the launch, which the host may have made between two edges.
    const frequency& rate = clocked::domain().rate();
    const std::uint64_t launched =
        rate.first_edge_after(protocol::picoseconds(block.kernel->launched_at)) - 1;
    counts_.launch_started(edge - launched);
    if (groups_) groups_->launch_starts(*block.kernel, launched, edge);
}

void smx_scheduler::take_done(sm_id sm, const block_ptr& block) {
    const std::uint32_t warps = block->kernel->per_block.threads / machine_.warp_size;
    const bool suspended = groups_ && block->outcome == protocol::block_outcome::suspended;
    const bool killed =
        block->kernel->cooperative && block->outcome == protocol::block_outcome::killed;
    const bool preempted = preemption_ && block->outcome == protocol::block_outcome::preempted;
    const bool legal =
        suspended || killed || preempted || block->outcome == protocol::block_outcome::completed;
    if (!legal || block->sm != sm || !accounts_.give_back(sm, block->slot) ||
        !(suspended || preempted || regions_.release(block->context.value(), warps))) {
        SC_REPORT_ERROR(smx_scheduler_report::protocol,
                        ("done for block " + std::to_string(block->block) + " of launch " +
                         to_text(block->launch) + " from SMX " + std::to_string(sm.value()) +
                         "; legal: once, with outcome completed, from the SMX that runs it; where "
                         "kernels launch, suspended too, with coop.preempt, preempted")
                            .c_str());
        return;
    }
    waves_.changed(sm);
    if (suspended || preempted) {
        counts_.moved(clocked::domain().edge(), accounts_.resident());
        suspended_regions_ += warps;
    } else {
        counts_.finished(clocked::domain().edge(), accounts_.resident());
    }
    if (preempted) keep(block);
    if (preemption_) preemption_->left(*block, clocked::domain().edge());
    if (suspended && block->kernel->cooperative) reserve_.add(block->kernel->per_block);
    if (suspended) groups_->suspended(*block);
    if (!preempted) end_block(*block);
}

/// A block leaves its entry, if it has one.
void smx_scheduler::end_block(const block_dispatch& block) {
    const bool suspended = block.outcome == protocol::block_outcome::suspended;
    const bool killed = block.outcome == protocol::block_outcome::killed;
    const bool of_group = block.group != null_group;
    const bool in_entry = block.kde != protocol::no_kde;
    if (in_entry) {
        kernels_.end_block(block.kde);
        tell(kde_event::block_finished, block.kde, block.block, of_group);
    }
    if (of_group) groups_->chain().end_block(block.group);
    if (!suspended && was_last(block, killed) && groups_) {
        groups_->launch_ends(*block.kernel, block.group);
    }
    if (in_entry) release_if_over(block.kde);
}

void smx_scheduler::release_if_over(kde_index entry) {
    const launch_id kernel = kernels_.kernel(entry)->launch;
    if (kernels_.release_if_over(entry)) groups_->release(entry, kernel);
}

void smx_scheduler::send(block_dispatch& block) {
    const auto sm = static_cast<int>(block.sm.value());
    block_phase phase = block_phase::dispatch;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = block_socket[sm]->nb_transport_fw(block, phase, delay);
    if (status == tlm::TLM_UPDATED && phase == block_phase::started) {
        (void)take_answer(sm, block, phase, delay);
    } else if (status != tlm::TLM_ACCEPTED) {
        SC_REPORT_ERROR(smx_scheduler_report::protocol,
                        "return of a dispatch to an SMX; legal: TLM_ACCEPTED, or TLM_UPDATED with "
                        "started");
    }
}

void smx_scheduler::tell(kde_event event, kde_index kde, std::uint32_t block, bool of_group) {
    const update_ptr update = updates_.make();
    update->launch = kernels_.kernel(kde)->launch;
    update->kde = kde;
    update->of_group = of_group;
    update->event = event;
    update->block = block;
    update->next_group = (*chain_)[kde].next_group;
    update->last_group = (*chain_)[kde].last_group;
    kde_phase phase = kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    block_update_socket->nb_transport_fw(*update, phase, delay);
}

}  // namespace heddle
