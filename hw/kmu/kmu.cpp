// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kmu/kmu.h"

#include <utility>

#include "models/base/bits.h"

namespace heddle {

using protocol::kernel_launch;
using protocol::launch_phase;

kmu::kmu(const sc_core::sc_module_name& name, clock_domain& domain,
         const kmu_configuration& configuration, waveform* waves)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      launch_socket("launch_socket"),
      dispatch_socket("dispatch_socket"),
      configuration_(configuration),
      queues_(configuration.queues, configuration.queue_depth),
      running_(configuration.queues),
      completions_(*this, configuration.queues),
      accepted_(*this, 1),
      pipeline_(configuration.queues) {
    launch_socket.register_nb_transport_fw(this, &kmu::take_launch);
    dispatch_socket.register_nb_transport_bw(this, &kmu::take_answer);
    if (waves != nullptr) {
        declare_waves(*waves);
    }
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
    if (phase != launch_phase::request) {
        SC_REPORT_ERROR(kmu_report::protocol,
                        "phase on the forward path of launch_socket is not "
                        "request; legal: request");
    } else if (!requests_[static_cast<unsigned>(port)].push(launch_ptr(&launch))) {
        SC_REPORT_ERROR(kmu_report::protocol,
                        ("launch " + to_text(launch.launch) +
                         " came before the last one was accepted; legal: one at a time")
                            .c_str());
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
    SC_REPORT_ERROR(kmu_report::protocol,
                    ("answer of the kernel distributor for launch " + to_text(launch.launch) +
                     "; legal: accepted once, then completed, for a launch that was requested")
                        .c_str());
    return tlm::TLM_ACCEPTED;
}

void kmu::evaluate() {
    // (1) kernels that have completed: their queues are inspected again
    complete_kernels();
    // (2) inspection of one queue head
    inspect_queues();
    // (3) the oldest dispatch reaches the Kernel Distributor
    send_dispatches();
    // (4) new launches, inspected from the next cycle on
    accept_launches();
}

void kmu::complete_kernels() {
    while (completions_.ready() != nullptr) {
        const launch_ptr launch = completions_.pop();
        const unsigned queue = launch->queue.value();
        if (queue >= queues_.count() || running_[queue].launch != launch) {
            SC_REPORT_ERROR(kmu_report::protocol, ("launch " + to_text(launch->launch) +
                                                   " completed but was not dispatched")
                                                      .c_str());
            continue;
        }
        const queued_launch ended = std::exchange(running_[queue], queued_launch());
        queues_.resume(queue);
        changed_queues_ |= std::uint64_t{1} << queue;
        ++completed_;
        launch_phase phase = launch_phase::completed;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        launch_socket[static_cast<int>(ended.port)]->nb_transport_bw(*ended.launch, phase, delay);
    }
}

void kmu::inspect_queues() {
    if (!queues_.ready()) {
        return;
    }
    const unsigned queue = queues_.select();
    queued_launch& head = running_[queue] = queues_.dispatch(queue);
    changed_queues_ |= std::uint64_t{1} << queue;
    const std::uint64_t now = clocked::domain().edge();
    queue_wait_.add(now - head.arrived);
    // The link itself takes the last cycle of the latency.
    const std::uint64_t due = now + configuration_.dispatch_latency - 1;
    pipeline_.push({head.launch, due});
    if (due > now) {
        wake_at(due);
    }
}

void kmu::send_dispatches() {
    const std::uint64_t now = clocked::domain().edge();
    if (accepted_.ready() != nullptr) {
        (void)accepted_.pop();
        link_free_ = true;
        distributor_wait_ += now - request_due_;
    }
    if (!link_free_ || pipeline_.empty() || pipeline_.front().due > now) {
        return;
    }
    const dispatch oldest = pipeline_.pop();
    ++dispatches_;
    launch_phase phase = launch_phase::request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    request_due_ = oldest.due;
    switch (dispatch_socket->nb_transport_fw(*oldest.launch, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            link_free_ = false;
            return;
        case tlm::TLM_UPDATED:
            if (phase == launch_phase::accepted) {
                distributor_wait_ += now - request_due_;
                return;
            }
            break;
        case tlm::TLM_COMPLETED:
            break;
    }
    SC_REPORT_ERROR(kmu_report::protocol,
                    "return of a request to the kernel distributor; legal: TLM_ACCEPTED, or "
                    "TLM_UPDATED with accepted");
}

void kmu::accept_launches() {
    for (std::uint32_t port = 0; port < requests_.size(); ++port) {
        const launch_ptr* waiting = requests_[port].ready();
        if (waiting == nullptr) {
            continue;
        }
        const kernel_launch& launch = **waiting;
        if (launch.queue.value() >= queues_.count()) {
            const launch_ptr dropped = requests_[port].pop();
            SC_REPORT_ERROR(kmu_report::illegal_launch,
                            ("launch " + to_text(dropped->launch) + " for queue " +
                             std::to_string(dropped->queue.value()) + "; legal: queues 0 to " +
                             std::to_string(queues_.count() - 1))
                                .c_str());
        } else if (!queues_.full(launch.queue.value())) {
            accept(port, requests_[port].pop());
        }
    }
}

void kmu::accept(std::uint32_t port, launch_ptr launch) {
    const unsigned queue = launch->queue.value();
    kernel_launch& payload = *launch;
    queues_.push(queue, {std::move(launch), port, clocked::domain().edge()});
    changed_queues_ |= std::uint64_t{1} << queue;
    ++launches_;
    launch_phase phase = launch_phase::accepted;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    launch_socket[static_cast<int>(port)]->nb_transport_bw(payload, phase, delay);
}

activity kmu::update() {
    if (!waves_.empty()) {
        show_waves();
    }
    const bool can_send =
        link_free_ && !pipeline_.empty() && pipeline_.front().due <= clocked::domain().edge();
    return queues_.ready() || can_send ? activity::busy : activity::idle;
}

bool kmu::empty() const {
    for (const auto& requests : requests_) {
        if (!requests.empty()) {
            return false;
        }
    }
    return queues_.idle();
}

std::string kmu::waiting_for() const {
    std::size_t queued = 0;
    std::size_t under_way = 0;
    std::size_t refused = 0;
    for (unsigned queue = 0; queue < queues_.count(); ++queue) {
        queued += queues_.size(queue);
        under_way += queues_.stopped(queue) ? 1 : 0;
    }
    for (const auto& requests : requests_) {
        refused += requests.size();
    }
    if (queued + under_way + refused == 0) {
        return {};
    }
    return std::to_string(under_way) + " kernels to complete (" + std::to_string(pipeline_.size()) +
           " of them not yet at the kernel distributor); " + std::to_string(queued) +
           " launches queued, " + std::to_string(refused) + " waiting for a place";
}

void kmu::collect(statistics& out, const std::string& scope) const {
    out.declare(scope, kmu_statistics);
    out.set(scope + ".launches", launches_);
    out.set(scope + ".dispatches", dispatches_);
    out.set(scope + ".completions", completed_);
    out.set(scope + ".queue_wait", queue_wait_);
    out.set(scope + ".distributor_wait", distributor_wait_);
}

void kmu::declare_waves(waveform& waves) {
    for (unsigned queue = 0; queue < queues_.count(); ++queue) {
        const std::string scope = std::string(sc_module::name()) + ".hwq_" + std::to_string(queue);
        waves_.push_back(
            {waves.declare_integer(scope + ".occupancy"), waves.declare_integer(scope + ".head"),
             waves.declare_integer(scope + ".running"), waves.declare_text(scope + ".kernel")});
        changed_queues_ |= std::uint64_t{1} << queue;
    }
}

void kmu::show_waves() {
    for (; changed_queues_ != 0; changed_queues_ &= changed_queues_ - 1) {
        const unsigned queue = bits::first(changed_queues_);
        const std::size_t size = queues_.size(queue);
        const launch_ptr& running = running_[queue].launch;
        waves_[queue].occupancy.set(static_cast<std::int64_t>(size));
        waves_[queue].head.set(size == 0 ? 0 : queues_.head(queue).launch->launch.value());
        waves_[queue].running.set(running ? running->launch.value() : 0);
        waves_[queue].kernel.set(running ? running->kernel_name : std::string_view());
    }
}

}  // namespace heddle
