// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/memory_to_pins.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "hw/base/report_error.h"
#include "hw/protocol/base_access.h"

namespace heddle::pins {

memory_to_pins::memory_to_pins(const sc_core::sc_module_name& name, pin_clock& clock,
                               memory_pins& pins, std::uint64_t bytes, debug_access debug,
                               run_status& status, const pin_stalls& request_stalls,
                               const pin_stalls& response_stalls)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      request_socket("request_socket"),
      bytes_(bytes),
      debug_(std::move(debug)),
      status_(status),
      request_(pins.request, request_stalls),
      response_(pins.response, response_stalls),
      target_(*this, request_socket, memory_ids, memory_to_pins_report::protocol),
      answers_(memory_ids + 1) {
    under_way_.reserve(memory_ids + 1);
    request_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

tlm::tlm_sync_enum memory_to_pins::nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return target_.end_response(phase, delay);
    if (!target_.begin_request(request, delay)) return tlm::TLM_ACCEPTED;
    under_way_.push_back(&request);
    return target_.accept_or_withhold(request, phase);
}

void memory_to_pins::clock_edge() {
    // (1) the response that moves at this edge
    if (const memory_response_pins* const pins = response_.taken()) take_response(*pins);
    // (2) one response goes to the initiator
    target_.take_response_ends();
    if (!target_.responding() && !answers_.empty()) target_.respond(*answers_.pop());
    // (3) a request that found no room
    if (target_.withheld() != nullptr && held() <= memory_ids) target_.accept();
    // (4) the next request
    request_.clock_edge([this](memory_request_pins& pins) { return drive(pins); });
    // There are no more answers than ids.
    response_.offer(true);
    target_.latch(held(), memory_ids);
}

void memory_to_pins::take_response(const memory_response_pins& pins) {
    payload* const request = std::exchange(by_id_[pins.id.read()], nullptr);
    if (request == nullptr) {
        report_error(memory_to_pins_report::protocol,
                     std::string(sc_module::name()) + ": response " +
                         std::to_string(pins.id.read()) + " to no request");
        return;
    }
    if (pins.error.read()) {
        request->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    } else {
        if (request->is_read()) beat_.store(pins.data.read(), *request);
        request->set_response_status(tlm::TLM_OK_RESPONSE);
    }
    answer(*request);
}

void memory_to_pins::answer(payload& request) {
    under_way_.erase(std::find(under_way_.begin(), under_way_.end(), &request));
    answers_.push(&request);
}

bool memory_to_pins::drive(memory_request_pins& pins) {
    inbox<payload*>& requests = target_.requests();
    while (requests.ready() != nullptr) {
        const auto id = std::find(by_id_.begin(), by_id_.end(), nullptr);
        if (id == by_id_.end() || *requests.ready() == target_.withheld()) return false;
        payload& request = *requests.pop();
        if (!check(request)) {
            answer(request);
            continue;
        }
        *id = &request;
        beat_.load(request);
        pins.id.write(static_cast<std::uint32_t>(id - by_id_.begin()));
        pins.write.write(request.is_write());
        pins.address.write(
            static_cast<std::uint32_t>(request.get_address() / line_bytes * line_bytes));
        pins.mask.write(beat_.mask());
        if (request.is_write()) pins.data.write(beat_.data());
        return true;
    }
    return false;
}

bool memory_to_pins::check(payload& request) {
    if (request.get_command() == tlm::TLM_IGNORE_COMMAND) {
        request.set_response_status(tlm::TLM_OK_RESPONSE);
        return false;
    }
    protocol::base_refusal refusal = protocol::check_base_access(request, bytes_);
    if (refusal.status == tlm::TLM_OK_RESPONSE) {
        const std::uint64_t first = request.get_address();
        if (first / line_bytes == (first + request.get_data_length() - 1) / line_bytes) return true;
        refusal = {tlm::TLM_BURST_ERROR_RESPONSE,
                   "more than one line; legal: inside one of 128 bytes"};
    }
    request.set_response_status(refusal.status);
    std::ostringstream text;
    text << part_name() << ": " << (request.is_read() ? "read" : "write") << " of "
         << request.get_data_length() << " bytes at 0x" << std::hex << request.get_address()
         << " refused (" << request.get_response_string() << "): " << refusal.reason;
    status_.report(error_kind::wrong_result, text.str());
    return false;
}

void memory_to_pins::b_transport(payload& request, sc_core::sc_time&) {
    report_error(memory_to_pins_report::protocol,
                 "b_transport; legal: nb_transport, as pins take simulated time");
    request.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

bool memory_to_pins::get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) {
    return protocol::deny_direct_memory(request, dmi);
}

unsigned memory_to_pins::transport_dbg(payload& request) {
    const unsigned bytes = debug_(request);
    if (!request.is_read()) return bytes;
    const std::uint64_t first = request.get_address();
    for (const payload* const write : under_way_) {
        if (!write->is_write() || write->get_data_ptr() == nullptr) continue;
        for (std::uint32_t byte = 0; byte < write->get_data_length(); ++byte) {
            const std::uint64_t at = write->get_address() + byte;
            if (at < first || at - first >= bytes || !is_enabled(*write, byte)) continue;
            request.get_data_ptr()[at - first] = write->get_data_ptr()[byte];
        }
    }
    return bytes;
}

std::string memory_to_pins::waiting_for() const {
    if (under_way_.empty() && answers_.empty()) return {};
    return std::to_string(under_way_.size()) + " accesses wait for the pins or behind them, " +
           std::to_string(answers_.size()) + " for their response";
}

}  // namespace heddle::pins
