// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/crossbar.h"

#include <string>

#include "hw/base/crew.h"
#include "hw/base/report_error.h"
#include "models/base/error.h"

namespace heddle {

using protocol::memory_access;
using protocol::memory_phase;

namespace {

/// Bytes of a message beyond its header.
std::uint32_t message_data(const tlm::tlm_generic_payload& message, bool is_request) {
    if (message.get_command() != tlm::TLM_IGNORE_COMMAND) {
        return message.is_write() == is_request ? message.get_data_length() : 0;
    }
    const memory_access* const atomic = protocol::access_of(message);
    if (atomic == nullptr) return 0;
    const bool compares = is_request && atomic->operation == isa::opcode::amocas_w;
    return atomic->atomic_count * (compares ? 8U : 4U);
}

void check_buffer(const sc_core::sc_module& who, const char* key, std::uint32_t flits,
                  std::uint32_t longest) {
    if (flits < longest) {
        throw configuration_error(std::string(who.name()) + ": crossbar." + key + " = " +
                                  std::to_string(flits) + " flits, and the longest message has " +
                                  std::to_string(longest) + "; legal: at least that");
    }
}

}  // namespace

crossbar::request_way::request_way(crossbar& of, clock_domain& domain, const switch_shape& shape,
                                   const slot_maker<allocator_traits>& allocators)
    : crossbar_way(domain, std::string(of.name()) + ".request", shape, of.configuration_,
                   allocators),
      of_(of) {}

crossbar::response_way::response_way(crossbar& of, clock_domain& domain, const switch_shape& shape,
                                     const slot_maker<allocator_traits>& allocators)
    : crossbar_way(domain, std::string(of.name()) + ".response", shape, of.configuration_,
                   allocators),
      of_(of) {}

crossbar::crossbar(const sc_core::sc_module_name& name, clock_domain& domain,
                   const crossbar_configuration& configuration, const crossbar_ports& ports,
                   const slot_maker<allocator_traits>& allocators, waveform* waves)
    : sc_module(name),
      smx_sockets("smx_socket", ports.smxs + ports.others),
      bank_sockets("bank_socket", ports.banks),
      debug_socket("debug_socket"),
      configuration_(configuration),
      bank_of_(ports.bank_of),
      interleave_(ports.interleave),
      longest_(configuration.flits_of(ports.longest_data)),
      others_(ports.others),
      requests_(*this, domain, {ports.smxs + ports.others, ports.banks, longest_}, allocators),
      responses_(*this, domain, {ports.banks, ports.smxs + ports.others, longest_}, allocators) {
    for (std::uint32_t data = 0; data <= ports.longest_data; ++data) {
        flits_.push_back(static_cast<std::uint16_t>(configuration.flits_of(data)));
    }
    check_buffer(*this, "input_buffer", configuration.input_buffer, longest_);
    check_buffer(*this, "output_buffer", configuration.output_buffer, longest_);
    for (std::uint32_t i = 0; i < smx_sockets.size(); ++i) {
        smx_sockets[i].register_nb_transport_fw(this, &crossbar::from_smx, static_cast<int>(i));
    }
    for (std::uint32_t i = 0; i < ports.banks; ++i) {
        bank_sockets[i].register_nb_transport_bw(this, &crossbar::from_bank, static_cast<int>(i));
    }
    debug_socket.register_transport_dbg(this, &crossbar::debug);
    if (waves != nullptr) {
        const wave_ports initiators{ports.smxs + ports.others, ports.others};
        const wave_ports banks{ports.banks, 0};
        requests_.show(*waves, initiators, banks);
        responses_.show(*waves, banks, initiators);
    }
}

crossbar::~crossbar() = default;

// ---- calls of the neighbours ------------------------------------------------------------------

std::uint32_t crossbar::bank_of(std::uint64_t address) const {
    const std::uint32_t bank = bank_of_(address);
    if (bank < bank_sockets.size()) {
        return bank;
    }
    report_error(crossbar_report::address, "address " + std::to_string(address) +
                                               " belongs to bank " + std::to_string(bank) + " of " +
                                               std::to_string(bank_sockets.size()));
    return 0;
}

std::uint32_t crossbar::smx_of(const payload& message) const {
    const memory_access* const access = protocol::access_of(message);
    if (access != nullptr && access->sm.value() < smx_sockets.size()) {
        return access->sm.value();
    }
    report_error(crossbar_report::protocol,
                 "a response without memory_access, or for an SMX that there is not");
    return 0;
}

std::uint32_t crossbar::flits_of(std::uint32_t data) const {
    return data < flits_.size() ? flits_[data] : long_message(data);
}

std::uint32_t crossbar::long_message(std::uint32_t data) const {
    const std::uint32_t flits = configuration_.flits_of(data);
    if (flits > longest_) {
        report_error(crossbar_report::length, "a message of " + std::to_string(flits) +
                                                  " flits; the longest has " +
                                                  std::to_string(longest_));
    }
    return longest_;
}

bool crossbar::enter(crossbar_way& way, std::uint32_t port, std::uint32_t output, payload& message,
                     const sc_core::sc_time& delay) {
    const std::uint32_t data = message_data(message, &way == &requests_);
    return way.enter(port, output, message, configuration_.header_bytes + data, flits_of(data),
                     delay);
}

tlm::tlm_sync_enum crossbar::from_smx(int port, payload& message, memory_phase& phase,
                                      sc_core::sc_time& delay) {
    const auto number = static_cast<std::uint32_t>(port);
    switch (phase) {
        case memory_phase::begin_request:
            message.acquire();  // until the response has left
            if (enter(requests_, number, bank_of(message.get_address()), message, delay)) {
                phase = memory_phase::end_request;
                return tlm::TLM_UPDATED;
            }
            return tlm::TLM_ACCEPTED;
        case memory_phase::end_response:
            responses_.accepted(number, message, delay);
            return tlm::TLM_COMPLETED;
        default:
            report_error(crossbar_report::protocol, "an SMX sent a phase of the backward path");
            return tlm::TLM_ACCEPTED;
    }
}

tlm::tlm_sync_enum crossbar::from_bank(int port, payload& message, memory_phase& phase,
                                       sc_core::sc_time& delay) {
    const auto number = static_cast<std::uint32_t>(port);
    switch (phase) {
        case memory_phase::end_request:
            requests_.accepted(number, message, delay);
            return tlm::TLM_ACCEPTED;
        case memory_phase::begin_response:
            // A response stands for the acceptance of its request. Banks of Heddle accept before
            // they answer; those of others keep the run on one thread.
            if (!crew::sharing()) requests_.answered(number, message, delay);
            if (enter(responses_, number, smx_of(message), message, delay)) {
                phase = memory_phase::end_response;
                return tlm::TLM_UPDATED;
            }
            return tlm::TLM_ACCEPTED;
        default:
            report_error(crossbar_report::protocol, "a bank sent a phase of the forward path");
            return tlm::TLM_ACCEPTED;
    }
}

// ---- calls of the networks --------------------------------------------------------------------

void crossbar::request_way::accept(std::uint32_t port, payload& message) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    memory_phase phase = memory_phase::end_request;
    of_.smx_sockets[port]->nb_transport_bw(message, phase, delay);
}

void crossbar::response_way::accept(std::uint32_t port, payload& message) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    memory_phase phase = memory_phase::end_response;
    of_.bank_sockets[port]->nb_transport_fw(message, phase, delay);
}

bool crossbar::request_way::put_on_link(std::uint32_t bank, payload& message) {
    memory_phase phase = memory_phase::begin_request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status =
        of_.bank_sockets[bank]->nb_transport_fw(message, phase, delay);
    if (status == tlm::TLM_COMPLETED ||
        (status == tlm::TLM_UPDATED && phase != memory_phase::end_request)) {
        report_error(crossbar_report::protocol,
                     "a bank answered in the call of the request; legal: end_request");
    }
    return status == tlm::TLM_ACCEPTED;
}

bool crossbar::response_way::put_on_link(std::uint32_t smx, payload& message) {
    memory_phase phase = memory_phase::begin_response;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (of_.smx_sockets[smx]->nb_transport_bw(message, phase, delay) == tlm::TLM_ACCEPTED) {
        return true;
    }
    message.release();
    return false;
}

}  // namespace heddle
