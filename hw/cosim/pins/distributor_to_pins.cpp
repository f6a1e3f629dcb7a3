// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/distributor_to_pins.h"

#include <utility>

#include "hw/base/report_error.h"
#include "hw/kernel_distributor/kernel_distributor.h"

namespace heddle::pins {

using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::launch_phase;

distributor_to_pins::distributor_to_pins(const sc_core::sc_module_name& name, pin_clock& clock,
                                         distributor_pins& pins, std::size_t most_updates,
                                         const stalls& held)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      dispatch_socket("dispatch_socket"),
      kernel_ready_socket("kernel_ready_socket"),
      block_update_socket("block_update_socket"),
      dispatch_(pins.dispatch, held.dispatch),
      start_(pins.start, held.start),
      update_(pins.update, update_credits, held.update),
      complete_(pins.complete, held.complete),
      update_error_(pins.update_error),
      requests_(*this, 2),
      updates_(*this, most_updates),
      dispatched_(kde_limit),
      entries_(kde_limit),
      ready_pool_(std::string(sc_module::name()) + ".kernel_ready") {
    dispatch_socket.register_nb_transport_fw(this, &distributor_to_pins::take_request);
    block_update_socket.register_nb_transport_fw(this, &distributor_to_pins::take_update);
}

void distributor_to_pins::report(const std::string& what) const {
    report_error(distributor_to_pins_report::protocol,
                 std::string(sc_module::name()) + ": " + what);
}

tlm::tlm_sync_enum distributor_to_pins::take_request(kernel_launch& launch, launch_phase& phase,
                                                     sc_core::sc_time&) {
    if (phase != launch_phase::request || !requests_.push(launch_ptr(&launch))) {
        report("launch " + to_text(launch.launch) +
               " on dispatch_socket; legal: request, one at a "
               "time");
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum distributor_to_pins::take_update(kde_update& update, kde_phase&,
                                                    sc_core::sc_time&) {
    if (!updates_.push(update_ptr(&update))) report("more updates wait than the machine can cause");
    return tlm::TLM_COMPLETED;
}

void distributor_to_pins::clock_edge() {
    // (1) the launch that moves at this edge
    if (dispatch_.moves()) accept();
    // (2) a kernel starts
    if (const start_pins* const pins = start_.taken()) start(*pins);
    // (3) a kernel has completed
    if (const complete_pins* const pins = complete_.taken()) complete(*pins);
    if (update_error_.read()) report("an update did not fit the state of its entry");
    // (4) the next launch and the next update
    dispatch_.clock_edge([this](kernel_pins& pins) { return drive_launch(pins); });
    update_.clock_edge([this](update_pins& pins) { return drive_update(pins); });
    // Both are taken at once.
    start_.offer(true);
    complete_.offer(true);
}

void distributor_to_pins::accept() {
    if (dispatched_.full()) {
        report("takes launch " + to_text(on_pins_->launch) + " without a free entry");
        return;
    }
    const launch_ptr launch = std::move(on_pins_);
    on_pins_.reset();
    dispatched_.push(launch);
    launch_phase phase = launch_phase::accepted;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    dispatch_socket->nb_transport_bw(*launch, phase, delay);
}

void distributor_to_pins::start(const start_pins& pins) {
    const std::uint32_t kde = pins.kde.read();
    if (dispatched_.empty() || dispatched_.front()->launch.value() != pins.kernel.launch.read() ||
        entries_[kde]) {
        report("launch " + std::to_string(pins.kernel.launch.read()) + " starts in entry " +
               std::to_string(kde) +
               "; legal: launches start in the order in which they were dispatched, in a free "
               "entry");
        return;
    }
    const launch_ptr launch = dispatched_.pop();
    entries_[kde] = launch;
    ++started_;
    occupancy_.set(domain().edge(), used());
    const update_ptr ready = ready_pool_.make();
    ready->launch = launch->launch;
    ready->kde = kde_index(kde);
    ready->event = kde_event::kernel_ready;
    ready->kernel = launch;
    kde_phase phase = kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    kernel_ready_socket->nb_transport_fw(*ready, phase, delay);
}

void distributor_to_pins::complete(const complete_pins& pins) {
    const launch_ptr launch = std::exchange(entries_[pins.kde.read()], {});
    if (!launch || launch->launch.value() != pins.launch.read()) {
        report("launch " + std::to_string(pins.launch.read()) + " completes in entry " +
               std::to_string(pins.kde.read()) + ", where it did not start");
        return;
    }
    ++completed_;
    occupancy_.set(domain().edge(), used());
    launch->outcome = protocol::launch_outcome::completed;
    launch_phase phase = launch_phase::completed;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    dispatch_socket->nb_transport_bw(*launch, phase, delay);
}

bool distributor_to_pins::drive_launch(kernel_pins& pins) {
    if (requests_.ready() == nullptr) return false;
    on_pins_ = requests_.pop();
    pins.write(*on_pins_);
    return true;
}

bool distributor_to_pins::drive_update(update_pins& pins) {
    if (updates_.ready() == nullptr) return false;
    const update_ptr update = updates_.pop();
    pins.event.write(static_cast<std::uint32_t>(update->event));
    pins.kde.write(update->kde.value());
    pins.launch.write(update->launch.value());
    pins.of_group.write(update->of_group);
    pins.next_group.write(update->next_group.bits());
    pins.last_group.write(update->last_group.bits());
    return true;
}

std::string distributor_to_pins::waiting_for() const {
    const std::size_t dispatched = requests_.size() + (on_pins_ ? 1 : 0) + dispatched_.size();
    if (used() == 0 && dispatched == 0 && updates_.empty()) return {};
    return std::to_string(used()) + " kernels behind the pins, " + std::to_string(dispatched) +
           " launches on their way there, " + std::to_string(updates_.size()) +
           " updates waiting for credits";
}

void distributor_to_pins::collect(statistics& out, const std::string& scope) const {
    const std::uint64_t end = domain().edge();
    out.declare(scope, kernel_distributor_statistics);
    out.set(scope + ".kernels", started_);
    out.set(scope + ".completed", completed_);
    out.set(scope + ".occupancy", occupancy_.mean(end));
    out.set(scope + ".occupancy_maximum", occupancy_.maximum());
    out.set(scope + ".busy_cycles", occupancy_.busy(end));
}

}  // namespace heddle::pins
