// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/fixed_latency_network.h"

#include <algorithm>
#include <utility>

#include "hw/base/delay_edges.h"

namespace heddle {

using protocol::memory_access;
using protocol::memory_phase;

namespace {

/// False: the link's mandatory extension is missing, and the packet has its answer.
bool note_return_port(tlm::tlm_generic_payload& packet, std::uint32_t port) {
    memory_access* const access = protocol::access_of(packet);
    if (access == nullptr) {
        SC_REPORT_ERROR(network_report::protocol, "a request without the memory_access extension");
        packet.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return false;
    }
    access->return_port = static_cast<std::uint16_t>(port);
    return true;
}

/// Bytes of a packet beyond its header.
std::uint32_t packet_data(const tlm::tlm_generic_payload& packet, bool is_request) {
    if (packet.get_command() != tlm::TLM_IGNORE_COMMAND) {
        return packet.is_write() == is_request ? packet.get_data_length() : 0;
    }
    const memory_access* const atomic = protocol::access_of(packet);
    const bool compares = is_request && atomic->operation == isa::opcode::amocas_w;
    return atomic->atomic_count * (compares ? 8U : 4U);
}

}  // namespace

fixed_latency_network::direction::direction(clocked& owner, std::uint32_t inputs,
                                            std::uint32_t outputs,
                                            const network_configuration& configuration)
    : events(owner, std::size_t{inputs} * (configuration.queue + 1) + outputs),
      fabric(inputs, outputs, configuration.queue, configuration.latency) {
    parked_ports.reserve(inputs);
    accepted_ports.reserve(inputs);
}

fixed_latency_network::fixed_latency_network(const sc_core::sc_module_name& name,
                                             clock_domain& domain,
                                             const network_configuration& configuration,
                                             std::uint32_t smx_count, std::uint32_t bank_count,
                                             bank_decoder decode, waveform* waves)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      smx_sockets("smx_socket", smx_count),
      bank_sockets("bank_socket", bank_count),
      debug_socket("debug_socket"),
      configuration_(configuration),
      decode_(std::move(decode)),
      smx_ports_(smx_count, port_state(configuration.queue)),
      bank_ports_(bank_count, port_state(configuration.queue)),
      requests_(*this, smx_count, bank_count, configuration),
      responses_(*this, bank_count, smx_count, configuration) {
    for (std::uint32_t i = 0; i < smx_count; ++i) {
        smx_sockets[i].register_nb_transport_fw(this, &fixed_latency_network::from_smx,
                                                static_cast<int>(i));
    }
    for (std::uint32_t i = 0; i < bank_count; ++i) {
        bank_sockets[i].register_nb_transport_bw(this, &fixed_latency_network::from_bank,
                                                 static_cast<int>(i));
    }
    debug_socket.register_transport_dbg(this, &fixed_latency_network::debug);
    if (waves != nullptr) {
        requests_wave_ = waves->declare_integer(part_name() + ".requests");
        responses_wave_ = waves->declare_integer(part_name() + ".responses");
    }
}

fixed_latency_network::~fixed_latency_network() = default;

// ---- calls of the neighbours ------------------------------------------------------------------

void fixed_latency_network::post(direction& way, const event& what, const sc_core::sc_time& delay) {
    if (!way.events.push(what, delay_edges(domain(), delay))) {
        SC_REPORT_ERROR(network_report::protocol, "a phase that no transaction waits for");
    }
}

bool fixed_latency_network::enter(direction& way, port_state& port, std::uint32_t number,
                                  payload& packet, const sc_core::sc_time& delay) {
    ++port.arriving;
    post(way, {event_kind::packet, &packet, number}, delay);
    if (port.credit.take()) {
        return true;
    }
    port.unaccepted = &packet;
    return false;
}

tlm::tlm_sync_enum fixed_latency_network::from_smx(int port, payload& packet, memory_phase& phase,
                                                   sc_core::sc_time& delay) {
    const auto number = static_cast<std::uint32_t>(port);
    switch (phase) {
        case memory_phase::begin_request:
            if (!note_return_port(packet, number)) return tlm::TLM_COMPLETED;
            packet.acquire();  // until the response has left
            if (enter(requests_, smx_ports_[number], number, packet, delay)) {
                phase = memory_phase::end_request;
                return tlm::TLM_UPDATED;
            }
            return tlm::TLM_ACCEPTED;
        case memory_phase::end_response:
            post(responses_, {event_kind::link_free, &packet, number}, delay);
            return tlm::TLM_COMPLETED;
        default:
            SC_REPORT_ERROR(network_report::protocol, "an SMX sent a phase of the backward path");
            return tlm::TLM_ACCEPTED;
    }
}

tlm::tlm_sync_enum fixed_latency_network::from_bank(int port, payload& packet, memory_phase& phase,
                                                    sc_core::sc_time& delay) {
    const auto number = static_cast<std::uint32_t>(port);
    switch (phase) {
        case memory_phase::end_request:
            post(requests_, {event_kind::link_free, &packet, number}, delay);
            return tlm::TLM_ACCEPTED;
        case memory_phase::begin_response:
            if (enter(responses_, bank_ports_[number], number, packet, delay)) {
                phase = memory_phase::end_response;
                return tlm::TLM_UPDATED;
            }
            return tlm::TLM_ACCEPTED;
        default:
            SC_REPORT_ERROR(network_report::protocol, "a bank sent a phase of the forward path");
            return tlm::TLM_ACCEPTED;
    }
}

// ---- a cycle ----------------------------------------------------------------------------------

std::uint32_t fixed_latency_network::cycles(direction& way, const payload& packet) const {
    const std::uint32_t bytes =
        configuration_.header_bytes + packet_data(packet, &way == &requests_);
    ++way.packets;
    way.bytes += bytes;
    const std::uint32_t width = configuration_.bytes_per_cycle;
    return std::max(1U, (bytes + width - 1) / width);
}

void fixed_latency_network::queue_packet(direction& way, std::uint32_t input, payload& packet) {
    std::uint32_t output = 0;
    if (&way == &responses_) {
        output = protocol::access_of(packet)->return_port;
    } else {
        output = decode_(packet.get_address());
        if (output >= bank_ports_.size()) {
            SC_REPORT_ERROR(
                network_report::address,
                ("address " + std::to_string(packet.get_address()) + " belongs to bank " +
                 std::to_string(output) + " of " + std::to_string(bank_ports_.size()))
                    .c_str());
            output = 0;
        }
    }
    way.fabric.push(input, output, &packet, cycles(way, packet), domain().edge());
}

void fixed_latency_network::take_events(direction& way, std::vector<port_state>& inputs,
                                        std::vector<port_state>& outputs) {
    while (way.events.ready() != nullptr) {
        progress_ = true;
        const event what = way.events.pop();
        if (what.kind == event_kind::link_free) {
            outputs[what.port].on_link = nullptr;
            if (&way == &responses_) {
                what.what->release();
            }
            continue;
        }
        port_state& port = inputs[what.port];
        if (port.on_link == what.what) {
            port.on_link = nullptr;  // a response stands for the acceptance of its request
        }
        if (port.unaccepted == what.what) {
            port.unaccepted = nullptr;
            port.parked = what.what;
            port.parked_since = domain().edge();
            way.parked_ports.push_back(what.port);
            continue;
        }
        --port.arriving;
        queue_packet(way, what.port, *what.what);
    }
}

void fixed_latency_network::accept(direction& way, std::uint32_t port, payload& packet) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (&way == &requests_) {
        memory_phase phase = memory_phase::end_request;
        smx_sockets[port]->nb_transport_bw(packet, phase, delay);
    } else {
        memory_phase phase = memory_phase::end_response;
        bank_sockets[port]->nb_transport_fw(packet, phase, delay);
    }
}

void fixed_latency_network::take_parked(direction& way, std::vector<port_state>& inputs) {
    std::size_t kept = 0;
    way.accepted_ports.clear();
    for (const std::uint32_t number : way.parked_ports) {
        port_state& port = inputs[number];
        if (way.fabric.room(number) == 0) {
            way.parked_ports[kept++] = number;
            continue;
        }
        payload& packet = *std::exchange(port.parked, nullptr);
        --port.arriving;
        way.stall_cycles += domain().edge() - port.parked_since;
        queue_packet(way, number, packet);
        accept(way, number, packet);
        way.accepted_ports.push_back(number);
        progress_ = true;
    }
    way.parked_ports.resize(kept);
}

fixed_latency_network::payload* fixed_latency_network::send_request(std::uint32_t bank,
                                                                    payload& packet) {
    memory_phase phase = memory_phase::begin_request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = bank_sockets[bank]->nb_transport_fw(packet, phase, delay);
    if (status == tlm::TLM_COMPLETED ||
        (status == tlm::TLM_UPDATED && phase != memory_phase::end_request)) {
        SC_REPORT_ERROR(network_report::protocol,
                        "a bank answered in the call of the request; legal: end_request");
    }
    return status == tlm::TLM_ACCEPTED ? &packet : nullptr;
}

fixed_latency_network::payload* fixed_latency_network::send_response(std::uint32_t smx,
                                                                     payload& packet) {
    memory_phase phase = memory_phase::begin_response;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (smx_sockets[smx]->nb_transport_bw(packet, phase, delay) == tlm::TLM_ACCEPTED) {
        return &packet;
    }
    packet.release();
    return nullptr;
}

void fixed_latency_network::send(direction& way, std::vector<port_state>& outputs) {
    way.fabric.deliver(domain().edge(), [&](std::uint32_t output, payload* packet) {
        port_state& port = outputs[output];
        if (port.on_link != nullptr) {
            return false;
        }
        progress_ = true;
        port.on_link =
            &way == &requests_ ? send_request(output, *packet) : send_response(output, *packet);
        return true;
    });
}

void fixed_latency_network::evaluate() {
    progress_ = false;
    // (1) packets and credits that have arrived
    take_events(requests_, smx_ports_, bank_ports_);
    take_events(responses_, bank_ports_, smx_ports_);
    // (2) both switches grant
    requests_.fabric.arbitrate(domain().edge());
    responses_.fabric.arbitrate(domain().edge());
    // (3) packets leave
    send(requests_, bank_ports_);
    send(responses_, smx_ports_);
    // (4) packets that waited for room are accepted
    take_parked(requests_, smx_ports_);
    take_parked(responses_, bank_ports_);
}

void fixed_latency_network::latch(direction& way, std::vector<port_state>& inputs) const {
    const auto latch_port = [&](std::uint32_t number) {
        port_state& port = inputs[number];
        const std::uint32_t room = way.fabric.room(number);
        port.credit.latch(room - std::min(room, port.arriving));
    };
    for (const std::uint32_t number : way.fabric.granted()) {
        latch_port(number);
    }
    for (const std::uint32_t number : way.accepted_ports) {
        latch_port(number);  // it took room without a credit
    }
}

activity fixed_latency_network::update() {
    latch(requests_, smx_ports_);
    latch(responses_, bank_ports_);
    requests_wave_.set(requests_.fabric.size());
    responses_wave_.set(responses_.fabric.size());
    if (progress_) {
        return activity::busy;
    }
    const std::uint64_t edge = domain().edge();
    const std::uint64_t due =
        std::min(requests_.fabric.next_due(edge), responses_.fabric.next_due(edge));
    if (due == edge + 1) {
        return activity::busy;
    }
    if (due != requests_.fabric.never && due != wake_due_) {
        wake_due_ = due;
        wake_at(due);
    }
    return activity::idle;
}

}  // namespace heddle
