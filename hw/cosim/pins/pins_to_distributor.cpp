// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/pins_to_distributor.h"

#include <algorithm>
#include <utility>

#include "hw/base/report_error.h"

namespace heddle::pins {

using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;
using protocol::launch_phase;

pins_to_distributor::pins_to_distributor(const sc_core::sc_module_name& name, pin_clock& clock,
                                         distributor_pins& pins, const stalls& held)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      dispatch_socket("dispatch_socket"),
      kernel_ready_socket("kernel_ready_socket"),
      block_update_socket("block_update_socket"),
      dispatch_(pins.dispatch, held.dispatch),
      start_(pins.start, held.start),
      update_(pins.update, held.update),
      complete_(pins.complete, held.complete),
      launches_(std::string(sc_module::name()) + ".launches"),
      updates_(std::string(sc_module::name()) + ".updates"),
      entries_(kde_limit),
      acceptances_(*this, 2),
      starts_(*this, kde_limit),
      ends_(*this, kde_limit) {
    dispatch_socket.register_nb_transport_bw(this, &pins_to_distributor::take_answer);
    kernel_ready_socket.register_nb_transport_fw(this, &pins_to_distributor::take_ready);
}

tlm::tlm_sync_enum pins_to_distributor::take_answer(kernel_launch& launch, launch_phase& phase,
                                                    sc_core::sc_time&) {
    const bool accepted = phase == launch_phase::accepted;
    if (!(accepted ? acceptances_.push(true) : ends_.push(launch_ptr(&launch)))) {
        report_error(pins_to_distributor_report::protocol,
                     "more answers than launches were requested");
    }
    return accepted ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum pins_to_distributor::take_ready(kde_update& update, kde_phase&,
                                                   sc_core::sc_time&) {
    if (update.event != kde_event::kernel_ready || !starts_.push(update_ptr(&update))) {
        report_error(pins_to_distributor_report::protocol,
                     "update on kernel_ready_socket; legal: kernel_ready, once for each entry");
    }
    return tlm::TLM_COMPLETED;
}

void pins_to_distributor::clock_edge() {
    // (1) what the distributor has answered; an entry whose end has moved is free
    if (complete_.moves()) entries_[ending_].reset();
    while (acceptances_.ready() != nullptr) accepted_ = acceptances_.pop();
    // (2) a launch and an update that move at this edge
    if (const kernel_pins* const pins = dispatch_.taken()) dispatch(*pins);
    const update_pins* const moved = update_.taken();
    if (moved != nullptr) pass_update(*moved);
    // (3) a kernel that starts, one that has completed
    start_.clock_edge([this](start_pins& pins) { return drive_start(pins); });
    complete_.clock_edge([this](complete_pins& pins) { return drive_complete(pins); });
    dispatch_.offer(accepted_);
    update_.give_back(moved != nullptr ? 1 : 0);
}

void pins_to_distributor::dispatch(const kernel_pins& pins) {
    const launch_ptr launch = launches_.make();
    pins.read(*launch);
    requested_ = launch;
    launch_phase phase = launch_phase::request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    accepted_ = dispatch_socket->nb_transport_fw(*launch, phase, delay) == tlm::TLM_UPDATED;
}

void pins_to_distributor::pass_update(const update_pins& pins) {
    const update_ptr update = updates_.make();
    update->event = static_cast<kde_event>(pins.event.read());
    update->kde = kde_index(pins.kde.read());
    update->launch = launch_of(pins.launch.read());
    update->of_group = pins.of_group.read();
    update->next_group = group_index::of_bits(pins.next_group.read());
    update->last_group = group_index::of_bits(pins.last_group.read());
    kde_phase phase = kde_phase::update;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    block_update_socket->nb_transport_fw(*update, phase, delay);
}

bool pins_to_distributor::drive_start(start_pins& pins) {
    // The distributor may give an entry to the next kernel at once; on the pins its end goes first.
    if (starts_.ready() == nullptr || entries_[(*starts_.ready())->kde.value()]) return false;
    const update_ptr update = starts_.pop();
    entries_[update->kde.value()] = update->kernel;
    pins.kde.write(update->kde.value());
    pins.kernel.write(*update->kernel);
    return true;
}

bool pins_to_distributor::drive_complete(complete_pins& pins) {
    if (ends_.ready() == nullptr) return false;
    const launch_ptr launch = ends_.pop();
    const auto entry = std::find(entries_.begin(), entries_.end(), launch);
    ending_ = static_cast<std::uint32_t>(entry - entries_.begin());
    pins.kde.write(ending_);
    pins.launch.write(launch->launch.value());
    return true;
}

}  // namespace heddle::pins
