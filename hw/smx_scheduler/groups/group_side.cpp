// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/group_side.h"

#include <utility>

#include "hw/base/report_error.h"
#include "hw/base/turn.h"
#include "hw/protocol/timeline_recorder.h"
#include "hw/smx_scheduler/smx_scheduler_report.h"

namespace heddle {

using protocol::aggregation;
using protocol::aggregation_phase;
using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;

namespace {

/// Groups may all end in one cycle: far more than there are Kernel Distributor Entries.
constexpr std::size_t most_ends = 4096;

}  // namespace

group_side::group_side(const parts& with, const group_table_configuration& configuration,
                       const slot_maker<group_allocator_traits>& allocators)
    : aggregation_socket("aggregation_socket"),
      group_socket("group_socket"),
      memory_socket("memory_socket"),
      over_socket("over_socket"),
      parts_(with),
      memory_(with.owner, sm_id(with.smx_count), memory_socket),
      chain_({configuration.entries,
              allocators.make(configuration, with.owner.part_name() + ".group_allocator")},
             with.order.chain(), with.order.sscr(), memory_, configuration.hold),
      unit_(with.order.kernels(), chain_, *this),
      over_(with.owner, most_ends),
      updates_(with.owner.part_name() + ".group_updates") {
    over_socket.register_nb_transport_fw(this, &group_side::take_over);
    aggregation_socket.register_nb_transport_fw(this, &group_side::take_command);
    memory_socket.register_nb_transport_bw(this, &group_side::take_record);
    for (unsigned sm = 0; sm < with.smx_count; ++sm) commands_.emplace_back(with.owner, 1);
}

tlm::tlm_sync_enum group_side::take_command(int sm, aggregation& command, aggregation_phase& phase,
                                            sc_core::sc_time&) {
    expect_turn();
    const auto from = static_cast<std::size_t>(sm);
    if (phase != aggregation_phase::request || from >= commands_.size() ||
        command.sm.value() != from || !commands_[from].push(command_ptr(&command))) {
        report_error(smx_scheduler_report::protocol,
                     "call on aggregation_socket; legal: request, one at a time of each SMX, "
                     "through the binding of its number");
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum group_side::take_record(tlm::tlm_generic_payload& payload,
                                           protocol::memory_phase& phase, sc_core::sc_time&) {
    return memory_.take(payload, phase);
}

tlm::tlm_sync_enum group_side::take_over(protocol::kde_update& update, kde_phase&,
                                         sc_core::sc_time&) {
    const bool known =
        update.event == kde_event::group_over || update.event == kde_event::block_returns;
    if (!known || !over_.push(pool_ptr<kde_update>(&update))) {
        report_error(smx_scheduler_report::protocol,
                     "update on over_socket; legal: group_over, of each group once, and "
                     "block_returns");
    }
    return tlm::TLM_COMPLETED;
}

bool group_side::cycle() {
    const bool moved = memory_.cycle();
    take_news();
    for (inbox<command_ptr>& from : commands_) {
        if (from.ready() != nullptr) unit_.take(from.pop());
    }
    const bool joined = unit_.cycle();
    return chain_.fetch_ahead() || joined || moved;
}

void group_side::take_news() {
    while (over_.ready() != nullptr) {
        const pool_ptr<kde_update> update = over_.pop();
        if (update->event == kde_event::block_returns) {
            parts_.returning.add(update->suspended, protocol::block_outcome::suspended);
        } else {
            unit_.launch_ended(update->launch);
        }
    }
}

void group_side::launch_starts(const kernel_launch& launch, std::uint64_t launched,
                               std::uint64_t edge) {
    using kind = launch_counts::kind;
    parts_.runtime.first_block_begins(launch.launch);
    if (launch.launch.by_host()) return launches_.started(kind::host, edge - launched, 0);
    const frequency& rate = parts_.owner.domain().rate();
    const std::uint64_t commanded =
        rate.first_edge_after(protocol::picoseconds(launch.commanded_at)) - 1;
    launches_.started(launch.group ? kind::group : kind::kernel, edge - launched,
                      commanded - launched);
}

void group_side::launch_ends(const protocol::launched_block& last,
                             const launch_progress::state& was) {
    parts_.runtime.blocks_ended(last.launch);
    // Others complete at the distributor, a cycle later. A launch with a suspended block may end
    // before its entry, which groups can hold.
    if (last.group == null_group && !was.any_suspended) return;
    tell_kmu(*make(kde_event::group_finished, last.launch, was.kde));
}

void group_side::suspended(const protocol::block_dispatch& block) {
    const pool_ptr<kde_update> update = make(kde_event::block_suspended, block.launch, block.kde);
    update->block = block.block;
    update->kernel = block.kernel;
    update->suspended = as_it_returns(block);
    tell_kmu(*update);
}

void group_side::held(kde_index entry) {
    parts_.entries.hold(entry);
}

void group_side::joined(const launch_ptr& group, kde_index entry) {
    const pool_ptr<kde_update> update = make(kde_event::group_joined, group->launch, entry);
    update->kernel = group;
    tell_kmu(*update);
}

void group_side::refused(const launch_ptr& group) {
    const pool_ptr<kde_update> update = make(kde_event::group_refused, group->launch, {});
    update->kernel = group;
    tell_kmu(*update);
}

void group_side::accepted(aggregation& command) {
    answer(command, aggregation_phase::accepted);
}

void group_side::completed(aggregation& command) {
    for (std::uint32_t i = 0; i < command.count; ++i) {
        command.groups[i].launch->outcome = protocol::launch_outcome::completed;
    }
    answer(command, aggregation_phase::completed);
}

void group_side::answer(aggregation& command, aggregation_phase phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const auto sm = static_cast<int>(command.sm.value());
    aggregation_socket[sm]->nb_transport_bw(command, phase, delay);
}

pool_ptr<kde_update> group_side::make(kde_event event, launch_id launch, kde_index entry) {
    pool_ptr<kde_update> update = updates_.make();
    update->launch = launch;
    update->kde = entry;
    update->event = event;
    return update;
}

void group_side::tell_kmu(kde_update& update) {
    kde_phase phase = kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    group_socket->nb_transport_fw(update, phase, delay);
}

std::string group_side::waiting_for() const {
    std::string text;
    if (!idle()) text += "; " + std::to_string(unit_.commands()) + " aggregations under way";
    if (chain_.fetching()) text += "; records of groups";
    return text;
}

}  // namespace heddle
