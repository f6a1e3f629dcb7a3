// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/axi_subordinate.h"

#include "hw/axi/axi_manager.h"
#include "hw/axi/tlm_status.h"
#include "hw/base/report_error.h"

namespace heddle::axi {

namespace {

subordinate_settings with_width(subordinate_settings settings, const bus_pins& pins) {
    settings.bus_bytes = pins.bus_bytes();
    return settings;
}

}  // namespace

axi_subordinate::axi_subordinate(const sc_core::sc_module_name& name, pins::pin_clock& clock,
                                 bus_pins& pins, const axi_subordinate_options& options)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      options_(options),
      pins_(pins),
      core_(with_width(options.settings, pins)),
      pool_(part_name() + ".bursts"),
      memory_(*this, memory_socket, std::size_t{4} * options.settings.queue,
              bridge_report::protocol) {
    memory_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    debug_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

axi_subordinate::~axi_subordinate() = default;

// ---- calls of the neighbours ------------------------------------------------------------------

tlm::tlm_sync_enum axi_subordinate::nb_transport_bw(payload& request, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
    return memory_.take(request, phase, delay);
}

void axi_subordinate::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {
    // no DMI is asked for
}

tlm::tlm_sync_enum axi_subordinate::nb_transport_fw(payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    report_error(bridge_report::protocol, "debug_socket takes transport_dbg and b_transport only");
    return tlm::TLM_ACCEPTED;
}

void axi_subordinate::b_transport(payload& request, sc_core::sc_time& delay) {
    memory_socket->b_transport(request, delay);
}

bool axi_subordinate::get_direct_mem_ptr(payload&, tlm::tlm_dmi&) {
    return false;
}

unsigned axi_subordinate::transport_dbg(payload& request) {
    return memory_socket->transport_dbg(request);
}

// ---- a clock ----------------------------------------------------------------------------------

void axi_subordinate::evaluate() {
    memory_.receive(domain().edge(), [this](payload& request) {
        core_.answered(static_cast<burst_payload&>(request).at,
                       code_of(request.get_response_status()));
        request.release();
    });
}

void axi_subordinate::clock_edge() {
    pins_.sample(in_);
    core_.clock(in_, options_.stalls.held());
    pins_.drive(core_.outputs());
    subordinate_core::index at = 0;
    while (memory_.unaccepted() == nullptr && core_.next(at)) send(at);
}

void axi_subordinate::send(subordinate_core::index at) {
    const subordinate_core::access& what = core_[at];
    burst_payload& request = *pool_.make();
    request.at = at;
    request.set_command(what.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    request.set_address(what.address);
    request.set_data_ptr(what.data);
    request.set_data_length(what.bytes);
    request.set_streaming_width(what.bytes);
    request.set_byte_enable_ptr(const_cast<std::uint8_t*>(what.enables));
    request.set_byte_enable_length(what.enables == nullptr ? 0 : what.bytes);
    request.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (memory_.send(request)) memory_.answer_later(request);
}

std::string axi_subordinate::waiting_for() const {
    if (core_.open() == 0) return {};
    return std::to_string(core_.open()) + " bursts" +
           (memory_.unaccepted() != nullptr ? ", one of which the memory does not accept" : "");
}

}  // namespace heddle::axi
