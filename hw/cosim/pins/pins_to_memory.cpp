// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/pins_to_memory.h"

namespace heddle::pins {

pins_to_memory::pins_to_memory(const sc_core::sc_module_name& name, pin_clock& clock,
                               memory_pins& pins, const pin_stalls& request_stalls,
                               const pin_stalls& response_stalls)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      memory_socket("memory_socket"),
      request_(pins.request, request_stalls),
      response_(pins.response, response_stalls),
      // END_REQ and BEGIN_RESP of each
      memory_(*this, memory_socket, 2 * memory_ids, pins_to_memory_report::protocol),
      pool_(std::string(sc_module::name()) + ".transfers"),
      waiting_(memory_ids),
      answers_(memory_ids) {
    memory_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

pins_to_memory::~pins_to_memory() = default;

void pins_to_memory::clock_edge() {
    // (1) what the target has answered
    memory_.receive(domain().edge(),
                    [this](payload& access) { answer(static_cast<transfer&>(access)); });
    // (2) the request that moves at this edge
    if (const memory_request_pins* const pins = request_.taken()) take_request(*pins);
    // (3) one request goes to the target; one that it completes in the call makes room
    while (memory_.unaccepted() == nullptr && !waiting_.empty()) send();
    // (4) one response
    response_.clock_edge([this](memory_response_pins& pins) { return drive(pins); });
    request_.offer(under_way_ < memory_ids);
}

void pins_to_memory::take_request(const memory_request_pins& pins) {
    transfer& access = *pool_.make();
    ++under_way_;
    access.id = pins.id.read();
    const line_beat::mask_bits& mask = pins.mask.read();
    std::uint32_t first = line_bytes;
    std::uint32_t last = 0;
    std::uint32_t bytes = 0;
    for (std::uint32_t word = 0; word < line_bytes / 32; ++word) {
        const auto bits = static_cast<std::uint32_t>(mask.get_word(static_cast<int>(word)));
        if (bits == 0) continue;
        if (first == line_bytes) first = 32 * word + __builtin_ctz(bits);
        last = 32 * word + 31 - __builtin_clz(bits);
        bytes += __builtin_popcount(bits);
    }
    access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (bytes == 0) {
        access.set_response_status(tlm::TLM_OK_RESPONSE);
        answers_.push(&access);
        return;
    }
    const std::uint32_t length = last - first + 1;
    access.set_command(pins.write.read() ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    access.set_address(pins.address.read() + first);
    access.set_data_ptr(access.data.data() + first);
    access.set_data_length(length);
    access.set_streaming_width(length);
    access.set_byte_enable_ptr(bytes == length ? nullptr : access.enables.data());
    access.set_byte_enable_length(bytes == length ? 0 : length);
    for (std::uint32_t byte = 0; bytes != length && byte < length; ++byte) {
        const std::uint32_t at = first + byte;
        const auto bits = static_cast<std::uint32_t>(mask.get_word(static_cast<int>(at / 32)));
        access.enables[byte] = (bits >> at % 32 & 1) != 0 ? 0xff : 0;
    }
    if (access.is_write()) line_beat::get_data(pins.data.read(), access.data.data());
    waiting_.push(&access);
}

void pins_to_memory::send() {
    transfer& access = *waiting_.pop();
    if (memory_.send(access)) answer(access);
}

tlm::tlm_sync_enum pins_to_memory::nb_transport_bw(payload& access, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
    return memory_.take(access, phase, delay);
}

void pins_to_memory::answer(transfer& access) {
    if (!access.is_response_ok()) {
        ++counts_.errors;
    } else if (access.is_read()) {
        ++counts_.reads;
        counts_.bytes_read += access.get_data_length();
    } else {
        ++counts_.writes;
        counts_.bytes_written += access.get_data_length();
    }
    answers_.push(&access);
}

bool pins_to_memory::drive(memory_response_pins& pins) {
    if (answers_.empty()) return false;
    transfer& access = *answers_.pop();
    pins.id.write(access.id);
    pins.error.write(!access.is_response_ok());
    if (access.is_read()) {
        beat_.set_data(access.data.data());
        pins.data.write(beat_.data());
    }
    --under_way_;
    access.release();
    return true;
}

std::string pins_to_memory::waiting_for() const {
    if (under_way_ == 0) return {};
    return std::to_string(under_way_) + " accesses that came over the pins, " +
           std::to_string(waiting_.size()) + " of them not yet sent";
}

}  // namespace heddle::pins
