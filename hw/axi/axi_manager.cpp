// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/axi_manager.h"

#include "hw/axi/burst.h"
#include "hw/base/report_error.h"
#include "hw/protocol/base_access.h"

namespace heddle::axi {

namespace {

/// Clocks of an unloaded bus, beside those of the memory and of the beats.
constexpr std::uint64_t bus_clocks = 3;
/// Answered writes that the journal keeps before nothing new begins.
constexpr std::size_t journal_limit = 256;

manager_settings with_width(manager_settings settings, const bus_pins& pins) {
    settings.bus_bytes = pins.bus_bytes();
    return settings;
}

}  // namespace

axi_manager::axi_manager(const sc_core::sc_module_name& name, pins::pin_clock& clock,
                         bus_pins& pins, const axi_manager_options& options)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      options_(options),
      pins_(pins),
      core_(with_width(options.settings, pins)),
      target_(*this, request_socket, options.settings.ids, bridge_report::protocol),
      responses_(options.settings.ids + 1),
      journal_(journal_limit) {
    request_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    debug_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

axi_manager::~axi_manager() = default;

// ---- calls of the neighbours ------------------------------------------------------------------

tlm::tlm_sync_enum axi_manager::nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return target_.end_response(phase, delay);
    if (!target_.begin_request(request, delay)) return tlm::TLM_ACCEPTED;
    return target_.accept_or_withhold(request, phase);
}

void axi_manager::b_transport(payload& request, sc_core::sc_time& delay) {
    debug_socket->b_transport(request, delay);
    const std::uint64_t beats =
        (request.get_data_length() + pins_.bus_bytes() - 1) / pins_.bus_bytes();
    delay += domain().edge_time(bus_clocks + beats);
}

bool axi_manager::get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) {
    return protocol::deny_direct_memory(request, dmi);
}

unsigned axi_manager::transport_dbg(payload& request) {
    const unsigned bytes = debug_socket->transport_dbg(request);
    if (bytes == 0) return 0;
    if (request.is_read()) {
        journal_.overlay_answered(request);
        core_.overlay(request, true);
        journal_.overlay_changes(request);
        core_.overlay(request, false);
    } else if (request.is_write()) {
        if (observer_) observer_(request.get_address(), request.get_data_length());
        if (core_.writes_begun() != 0 || journal_.has_answered() || journal_.has_changes()) {
            journal_.changed(request);
            core_.pause(true);
        }
    }
    return bytes;
}

tlm::tlm_sync_enum axi_manager::nb_transport_bw(payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    return tlm::TLM_ACCEPTED;  // debug_socket has no such transactions
}

void axi_manager::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {
    // no DMI is given out
}

// ---- a clock ----------------------------------------------------------------------------------

void axi_manager::take_requests() {
    while (core_.room() > responses_.size() && target_.requests().ready() != nullptr) {
        payload& request = *target_.requests().pop();
        const auto refusal = protocol::check_base_access(request, options_.memory_bytes);
        if (refusal.status == tlm::TLM_OK_RESPONSE && !request.is_read() && !request.is_write()) {
            request.set_response_status(tlm::TLM_OK_RESPONSE);
        } else if (refusal.status != tlm::TLM_OK_RESPONSE) {
            request.set_response_status(refusal.status);
        } else {
            core_.take(request);
            continue;
        }
        responses_.push(&request);
    }
}

void axi_manager::evaluate() {
    // (1) the response link becomes free
    target_.take_response_ends();
    // (2) requests
    take_requests();
    // (3) a request that found no room
    if (target_.withheld() != nullptr && held() <= options_.settings.ids) target_.accept();
}

activity axi_manager::update() {
    target_.latch(held(), options_.settings.ids);
    return activity::busy;  // pins do not sleep
}

void axi_manager::clock_edge() {
    pins_.sample(in_);
    core_.clock(in_, options_.stalls.held());
    pins_.drive(core_.outputs());
    take_finished();
    settle();
    if (!target_.responding() && !responses_.empty()) target_.respond(*responses_.pop());
    if (core_.unexpected() != unexpected_) {
        unexpected_ = core_.unexpected();
        report_error(bridge_report::protocol,
                     part_name() + ", clock edge " + std::to_string(domain().edge()) + ": " +
                         core_.unexpected_channel() + " with ID " +
                         std::to_string(core_.unexpected_id()) +
                         " answers no transaction; legal: the ID of one whose address, and all W "
                         "beats of a write, have moved");
    }
}

void axi_manager::take_finished() {
    while (payload* const done = core_.finished()) {
        if (done->is_write() && !quiet()) journal_.answered(*done);
        responses_.push(done);
    }
    if (journal_.full()) core_.pause(true);
}

/// What the memory lacked has come there.
void axi_manager::settle() {
    if (!quiet()) return;
    journal_.settled();
    if (core_.writes_begun() != 0 && journal_.has_changes()) return;
    journal_.redo_changes([&](payload& change) { debug_socket->transport_dbg(change); });
    core_.pause(false);
}

std::string axi_manager::waiting_for() const {
    if (core_.open() == 0) return {};
    return std::to_string(core_.open()) + " accesses on the bus" +
           (target_.responding() ? ", a response that nobody takes" : "");
}

}  // namespace heddle::axi
