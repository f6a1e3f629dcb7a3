// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The SMX scheduler's part in launches by kernels: links, and what joins and ends.
#include <utility>

#include "hw/smx_scheduler/smx_scheduler.h"

namespace heddle {

using protocol::aggregation;
using protocol::aggregation_phase;
using protocol::kde_event;
using protocol::kde_phase;
using protocol::kernel_launch;

smx_scheduler::group_side::group_side(smx_scheduler& of,
                                      const smx_scheduler_environment& environment)
    : memory(of, sm_id(of.machine_.smx_count), *of.memory_socket),
      chain(environment.groups.entries, of.chain_, of.sscr_, memory),
      unit(of.kernels_, chain, of) {
    for (std::uint32_t sm = 0; sm < of.machine_.smx_count; ++sm) commands.emplace_back(of, 1);
}

void smx_scheduler::make_group_sockets() {
    aggregation_socket = std::make_unique<
        protocol::multi_target_socket_of<smx_scheduler, protocol::aggregation_link>>(
        "aggregation_socket");
    aggregation_socket->register_nb_transport_fw(this, &smx_scheduler::take_command);
    group_socket =
        std::make_unique<protocol::initiator_socket_of<smx_scheduler, protocol::kde_link>>(
            "group_socket");
    memory_socket =
        std::make_unique<protocol::initiator_socket_of<smx_scheduler, protocol::memory_link>>(
            "memory_socket");
    memory_socket->register_nb_transport_bw(this, &smx_scheduler::take_record);
}

tlm::tlm_sync_enum smx_scheduler::take_command(int sm, aggregation& command,
                                               aggregation_phase& phase, sc_core::sc_time&) {
    const auto from = static_cast<std::size_t>(sm);
    if (phase != aggregation_phase::request || from >= groups_->commands.size() ||
        command.sm.value() != from || !groups_->commands[from].push(command_ptr(&command))) {
        SC_REPORT_ERROR(smx_scheduler_report::protocol,
                        "call on aggregation_socket; legal: request, one at a time of each SMX, "
                        "through the binding of its number");
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum smx_scheduler::take_record(tlm::tlm_generic_payload& payload,
                                              protocol::memory_phase& phase, sc_core::sc_time&) {
    return groups_->memory.answer(payload, phase);
}

void smx_scheduler::aggregate() {
    aggregated_ = groups_->memory.cycle();
    for (inbox<command_ptr>& from : groups_->commands) {
        if (from.ready() != nullptr) groups_->unit.take(from.pop());
    }
    aggregated_ = groups_->unit.cycle() || aggregated_;
}

void smx_scheduler::held(kde_index entry) {
    tell(kde_event::hold, entry, 0);
}

void smx_scheduler::joined(const launch_ptr& group, kde_index entry) {
    tell_kmu(kde_event::group_joined, *group, group);
    release_if_over(entry);
}

void smx_scheduler::refused(const launch_ptr& group) {
    tell_kmu(kde_event::group_refused, *group, group);
}

void smx_scheduler::accepted(aggregation& command) {
    answer(command, aggregation_phase::accepted);
}

void smx_scheduler::completed(aggregation& command) {
    answer(command, aggregation_phase::completed);
}

void smx_scheduler::answer(aggregation& command, aggregation_phase phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*aggregation_socket)[static_cast<int>(command.sm.value())]->nb_transport_bw(command, phase,
                                                                                 delay);
}

void smx_scheduler::tell_kmu(kde_event event, const kernel_launch& launch,
                             const launch_ptr& brings) {
    const update_ptr update = updates_.make();
    update->launch = launch.launch;
    update->kde = launch.kde;
    update->event = event;
    update->kernel = brings;
    kde_phase phase = kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*group_socket)->nb_transport_fw(*update, phase, delay);
}

/// All blocks of a launch have ended.
void smx_scheduler::end_launch(const protocol::block_dispatch& block) {
    if (runtime_ == nullptr) return;
    kernel_launch& launch = *block.kernel;
    runtime_->blocks_ended(launch.launch);
    if (block.group != null_group) {
        launch.outcome = protocol::launch_outcome::completed;
        tell_kmu(kde_event::group_finished, launch, {});
    }
    if (launch.group) {
        // A group that runs as a kernel completes at the distributor a cycle later.
        launch.outcome = protocol::launch_outcome::completed;
        groups_->unit.launch_ended(launch.launch);
    }
}

void smx_scheduler::release_if_over(kde_index entry) {
    const launch_ptr kernel = kernels_.kernel(entry);
    if (!kernel || !kernels_.release_if_over(entry)) return;
    const update_ptr update = updates_.make();
    update->launch = kernel->launch;
    update->kde = entry;
    update->event = kde_event::release;
    kde_phase phase = kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    block_update_socket->nb_transport_fw(*update, phase, delay);
}

}  // namespace heddle
