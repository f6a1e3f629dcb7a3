// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/kmu.h"

#include <utility>

#include "hw/base/report_error.h"
#include "hw/base/turn.h"

namespace heddle {

using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::launch_phase;

namespace {

/// Kernel Distributor Entries may be released all in one cycle.
constexpr std::size_t most_entries = 1024;
/// Of a cycle: the groups of a warp join or are refused, and each SMX ends a block. Twice, for two
/// cycles.
constexpr std::size_t group_events = 2 * (std::size_t{protocol::maximum_lanes} + 1024);

}  // namespace

kmu::kmu(const sc_core::sc_module_name& name, clock_domain& domain,
         const kmu_configuration& configuration, const slot_maker<queue_picker_traits>& pickers,
         waveform* waves, const kmu_environment& environment)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      launch_socket("launch_socket"),
      dispatch_socket("dispatch_socket"),
      configuration_(configuration),
      queues_(configuration.queues, configuration.queue_depth),
      picker_(pickers.make(configuration, std::string(sc_module::name()) + ".queue_picker")),
      running_(configuration.queues),
      environment_(environment),
      updates_(std::string(sc_module::name()) + ".group_updates"),
      groups_(*this, capacity_of(configuration.queues, environment.launches()).group_events),
      completions_(*this, capacity_of(configuration.queues, environment.launches()).completions),
      accepted_(*this, 1),
      pipeline_(capacity_of(configuration.queues, environment.launches()).dispatches),
      returns_(capacity_of(configuration.queues, environment.launches()).returns),
      waves_(waves, sc_module::name(), configuration.queues, environment.launches()) {
    launch_socket.register_nb_transport_fw(this, &kmu::take_launch);
    dispatch_socket.register_nb_transport_bw(this, &kmu::take_answer);
    if (environment.launches()) {
        group_socket =
            std::make_unique<protocol::target_socket_of<kmu, protocol::kde_link>>("group_socket");
        group_socket->register_nb_transport_fw(this, &kmu::take_group);
        over_socket =
            std::make_unique<protocol::initiator_socket_of<kmu, protocol::kde_link>>("over_socket");
    }
}

kmu::capacity kmu::capacity_of(unsigned queues, bool launches) noexcept {
    if (!launches) return {1, queues, queues, 0};
    return {group_events, queues + most_entries, queues + pool_window, pool_window};
}

void kmu::end_of_elaboration() {
    // A port has one launch in [requested]. The next one may come at the edge at which the KMU
    // accepts it, before or after that.
    for (unsigned port = 0; port < launch_socket.size(); ++port) {
        requests_.emplace_back(*this, 2);
    }
}

tlm::tlm_sync_enum kmu::take_launch(int port, kernel_launch& launch, launch_phase& phase,
                                    sc_core::sc_time&) {
    expect_turn();
    if (phase != launch_phase::request) {
        report_error(kmu_report::protocol,
                     "phase on the forward path of launch_socket is not "
                     "request; legal: request");
    } else if (!requests_[static_cast<unsigned>(port)].push(launch_ptr(&launch))) {
        report_error(kmu_report::protocol,
                     "launch " + to_text(launch.launch) +
                         " came before the last one was accepted; legal: one at a time");
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum kmu::take_answer(kernel_launch& launch, launch_phase& phase, sc_core::sc_time&) {
    switch (phase) {
        case launch_phase::accepted:
            if (accepted_.push(true)) {
                return tlm::TLM_ACCEPTED;
            }
            break;
        case launch_phase::completed:
            if (completions_.push(launch_ptr(&launch))) {
                return tlm::TLM_COMPLETED;
            }
            break;
        case launch_phase::request:
            break;
    }
    report_error(kmu_report::protocol,
                 "answer of the kernel distributor for launch " + to_text(launch.launch) +
                     "; legal: accepted once, then completed, for a launch that was requested");
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum kmu::take_group(kde_update& update, kde_phase&, sc_core::sc_time&) {
    if (!groups_.push(update_ptr(&update))) {
        report_error(kmu_report::protocol,
                     "more updates of groups in a cycle than the SMX scheduler can cause");
    }
    return tlm::TLM_COMPLETED;
}

void kmu::evaluate() {
    // (1) groups that have joined a kernel or found none, or have ended
    take_groups();
    // (2) kernels that have completed: their queues are inspected again
    complete_kernels();
    // (3) inspection of one queue head, or of the pool
    take_fallbacks();
    inspect();
    // (4) the oldest dispatch reaches the Kernel Distributor, and a suspended block the SMX
    // scheduler
    send_dispatches();
    send_returns();
    // (5) new launches, inspected from the next cycle on
    accept_launches();
}

void kmu::report(const kernel_launch& launch, const char* what) const {
    report_error(kmu_report::protocol, "launch " + to_text(launch.launch) + what);
}

void kmu::take_groups() {
    while (groups_.ready() != nullptr) {
        const update_ptr update = groups_.pop();
        if (update->event == kde_event::group_finished) {
            end_blocks(update->launch);
            continue;
        }
        if (update->event == kde_event::block_suspended) {
            const bool ready = tree_.open_children(update->launch, update->block) == 0;
            suspended_.add(update->suspended, ready);
            const auto kernel = in_entries_.find(update->launch);
            if (kernel != in_entries_.end()) kernel->second = true;
            continue;
        }
        const launch_ptr& group = update->kernel;
        if (!tree_.add(group->launch, group->parent, group->parent_block)) {
            report(*group, " is a group of a launch that has ended");
        }
        if (update->event != kde_event::group_refused) continue;
        const std::uint64_t due = clocked::domain().edge() + environment_.fallback_latency;
        fallbacks_.push_back({group, due});
        if (due > clocked::domain().edge()) wake_at(due);
    }
}

void kmu::take_fallbacks() {
    const std::uint64_t now = clocked::domain().edge();
    for (; !fallbacks_.empty() && fallbacks_.front().due <= now; fallbacks_.pop_front()) {
        add_to_pool({std::move(fallbacks_.front().launch), no_port, now});
    }
}

void kmu::add_to_pool(queued_launch launch) {
    ++counts_.by_kernels;
    const kernel_launch& what = *launch.launch;
    if (what.has_stream) {
        pool_.add(stream_key(what.parent, what.parent_block, what.device_stream),
                  std::move(launch));
    } else {
        pool_.add(std::move(launch));
    }
}

void kmu::complete_kernels() {
    while (completions_.ready() != nullptr) {
        const launch_ptr launch = completions_.pop();
        const auto kernel = in_entries_.find(launch->launch);
        if (kernel == in_entries_.end()) {
            report(*launch, " completed but was not dispatched");
            continue;
        }
        const bool any_suspended = kernel->second;
        in_entries_.erase(kernel);
        if (!any_suspended) end_blocks(launch->launch);
    }
}

void kmu::end_blocks(launch_id launch) {
    const auto over = [&](launch_id ended, const launch_tree::maker& by) { complete(ended, by); };
    if (!tree_.blocks_ended(launch, over)) {
        report_error(kmu_report::protocol,
                     "launch " + to_text(launch) + " has ended but did not run");
    }
}

/// A launch and all that it has caused are over.
void kmu::complete(launch_id launch, const launch_tree::maker& by) {
    queued_launch ended;
    bool group = false;
    if (launch.by_host()) {
        const unsigned queue = host_queues_.at(launch);
        host_queues_.erase(launch);
        ended = std::exchange(running_[queue], queued_launch());
        queues_.resume(queue);
        if (ended.launch->cooperative) --cooperative_;
        waves_.changed(queue);
    } else if (const auto found = under_way_.find(launch); found != under_way_.end()) {
        ended = std::move(found->second);
        under_way_.erase(found);
        const kernel_launch& what = *ended.launch;
        group = what.group;
        if (what.has_stream) {
            pool_.ended(stream_key(what.parent, what.parent_block, what.device_stream));
        }
    } else {
        group = true;  // in the entry of another kernel
    }
    if (environment_.launches()) tell_parent(launch, group, by);
    if (!ended.launch) return;
    ++counts_.completions;
    ended.launch->outcome = protocol::launch_outcome::completed;
    if (ended.port == no_port) return;
    launch_phase phase = launch_phase::completed;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    launch_socket[static_cast<int>(ended.port)]->nb_transport_bw(*ended.launch, phase, delay);
}

/// A launch that has ended leaves the table; its parent block may be a suspended one.
void kmu::tell_parent(launch_id launch, bool group, const launch_tree::maker& by) {
    if (group) {
        const update_ptr update = updates_.make();
        update->launch = launch;
        update->event = kde_event::group_over;
        tell_scheduler(update);
    }
    if (tree_.open_children(by.launch, by.block) == 0) {
        suspended_.children_ended(by.launch, by.block);
    }
    environment_.runtime->ended(launch);
}

void kmu::tell_scheduler(const update_ptr& update) {
    kde_phase phase = kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*over_socket)->nb_transport_fw(*update, phase, delay);
}

void kmu::send_dispatches() {
    const std::uint64_t now = clocked::domain().edge();
    if (accepted_.ready() != nullptr) {
        (void)accepted_.pop();
        link_free_ = true;
        counts_.distributor_wait += now - request_due_;
    }
    if (!link_free_ || pipeline_.empty() || pipeline_.front().due > now) {
        return;
    }
    const dispatch oldest = pipeline_.pop();
    ++counts_.dispatches;
    launch_phase phase = launch_phase::request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    request_due_ = oldest.due;
    switch (dispatch_socket->nb_transport_fw(*oldest.launch, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            link_free_ = false;
            return;
        case tlm::TLM_UPDATED:
            if (phase == launch_phase::accepted) {
                counts_.distributor_wait += now - request_due_;
                return;
            }
            break;
        case tlm::TLM_COMPLETED:
            break;
    }
    report_error(kmu_report::protocol,
                 "return of a request to the kernel distributor; legal: TLM_ACCEPTED, or "
                 "TLM_UPDATED with accepted");
}

void kmu::send_returns() {
    if (returns_.empty() || returns_.front().due > clocked::domain().edge()) return;
    const return_trip oldest = returns_.pop();
    const update_ptr update = updates_.make();
    update->launch = oldest.block.launch;
    update->event = kde_event::block_returns;
    update->kernel = oldest.block.kernel;
    update->suspended = oldest.block;
    update->block = oldest.block.block;
    tell_scheduler(update);
}

void kmu::accept_launches() {
    for (std::uint32_t port = 0; port < requests_.size(); ++port) {
        const launch_ptr* waiting = requests_[port].ready();
        if (waiting == nullptr) {
            continue;
        }
        const kernel_launch& launch = **waiting;
        const bool by_host = launch.launch.by_host();
        if (by_host && launch.queue.value() >= queues_.count()) {
            const launch_ptr dropped = requests_[port].pop();
            report_error(kmu_report::illegal_launch,
                         "launch " + to_text(dropped->launch) + " for queue " +
                             std::to_string(dropped->queue.value()) + "; legal: queues 0 to " +
                             std::to_string(queues_.count() - 1));
        } else if (!by_host || !queues_.full(launch.queue.value())) {
            accept(port, requests_[port].pop());
        }
    }
}

void kmu::accept(std::uint32_t port, launch_ptr launch) {
    kernel_launch& payload = *launch;
    queued_launch taken{std::move(launch), port, clocked::domain().edge()};
    if (!tree_.add(payload.launch, payload.parent, payload.parent_block)) {
        report(payload, " came twice, or from a launch that has ended");
    }
    if (payload.launch.by_host()) {
        const unsigned queue = payload.queue.value();
        queues_.push(queue, std::move(taken));
        waves_.changed(queue);
    } else {
        add_to_pool(std::move(taken));
    }
    ++counts_.launches;
    launch_phase phase = launch_phase::accepted;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    launch_socket[static_cast<int>(port)]->nb_transport_bw(payload, phase, delay);
}

activity kmu::update() {
    if (waves_.on()) show_waves();
    const bool can_send =
        link_free_ && !pipeline_.empty() && pipeline_.front().due <= clocked::domain().edge();
    // Before the interval is over, inspect() would do nothing; it has set the alarm.
    const bool may_inspect = clocked::domain().edge() + 1 >= next_.inspection;
    const bool can_inspect =
        may_inspect && (queues_ready() != 0 || pool_ready() || suspended_ready());
    return can_inspect || can_send ? activity::busy : activity::idle;
}

}  // namespace heddle
