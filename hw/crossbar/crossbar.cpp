// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/crossbar.h"

#include <algorithm>
#include <utility>

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

crossbar::direction::direction(clocked& owner, const switch_shape& shape,
                               const crossbar_configuration& configuration,
                               const slot_maker<allocator_traits>& allocators,
                               const std::string& path)
    : fabric(shape, configuration, allocators, path),
      // every buffer full of the shortest messages, one that waits for each port, all links
      events(owner, std::size_t{fabric.buffers()} * configuration.input_buffer + shape.inputs +
                        shape.outputs),
      inputs(shape.inputs),
      outputs(shape.outputs),
      buffers(fabric.buffers(), buffer_credits(configuration.input_buffer)) {
    parked_ports.reserve(shape.inputs);
    accepted_buffers.reserve(shape.inputs);
}

crossbar::crossbar(const sc_core::sc_module_name& name, clock_domain& domain,
                   const crossbar_configuration& configuration, const crossbar_ports& ports,
                   const slot_maker<allocator_traits>& allocators, waveform* waves)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      smx_sockets("smx_socket", ports.smxs + ports.others),
      bank_sockets("bank_socket", ports.banks),
      debug_socket("debug_socket"),
      configuration_(configuration),
      bank_of_(ports.bank_of),
      interleave_(ports.interleave),
      longest_(configuration.flits_of(ports.longest_data)),
      others_(ports.others),
      requests_(*this, {ports.smxs + ports.others, ports.banks, longest_}, configuration,
                allocators, part_name() + ".request"),
      responses_(*this, {ports.banks, ports.smxs + ports.others, longest_}, configuration,
                 allocators, part_name() + ".response") {
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
        requests_.waves = std::make_unique<crossbar_waves>(
            *waves, part_name() + ".request", initiators, banks, requests_.fabric.speedup());
        responses_.waves = std::make_unique<crossbar_waves>(
            *waves, part_name() + ".response", banks, initiators, responses_.fabric.speedup());
    }
}

crossbar::~crossbar() = default;

// ---- calls of the neighbours ------------------------------------------------------------------

std::uint32_t crossbar::bank_of(std::uint64_t address) const {
    const std::uint32_t bank = bank_of_(address);
    if (bank < bank_sockets.size()) {
        return bank;
    }
    SC_REPORT_ERROR(crossbar_report::address,
                    ("address " + std::to_string(address) + " belongs to bank " +
                     std::to_string(bank) + " of " + std::to_string(bank_sockets.size()))
                        .c_str());
    return 0;
}

std::uint32_t crossbar::smx_of(const payload& message) const {
    const memory_access* const access = protocol::access_of(message);
    if (access != nullptr && access->sm.value() < smx_sockets.size()) {
        return access->sm.value();
    }
    SC_REPORT_ERROR(crossbar_report::protocol,
                    "a response without memory_access, or for an SMX that there is not");
    return 0;
}

std::uint32_t crossbar::flits_of(std::uint32_t data) const {
    return data < flits_.size() ? flits_[data] : long_message(data);
}

std::uint32_t crossbar::long_message(std::uint32_t data) const {
    const std::uint32_t flits = configuration_.flits_of(data);
    if (flits > longest_) {
        SC_REPORT_ERROR(crossbar_report::length,
                        ("a message of " + std::to_string(flits) + " flits; the longest has " +
                         std::to_string(longest_))
                            .c_str());
    }
    return longest_;
}

void crossbar::surplus_phase() {
    SC_REPORT_ERROR(crossbar_report::protocol, "a phase that no transaction waits for");
}

bool crossbar::enter(direction& way, std::uint32_t port, std::uint32_t output, payload& message,
                     const sc_core::sc_time& delay) {
    const std::uint32_t data = message_data(message, &way == &requests_);
    const std::uint32_t flits = flits_of(data);
    way.inputs[port].bytes += configuration_.header_bytes + data;
    buffer_credits& buffer = way.buffers[way.fabric.buffer_of(port, output)];
    buffer.sent += flits;
    const bool accepted = buffer.latch.take(flits);
    post(way,
         {&message, static_cast<std::uint16_t>(port), static_cast<std::uint16_t>(output),
          static_cast<std::uint16_t>(flits), !accepted},
         delay);
    return accepted;
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
            post(responses_, {&message, static_cast<std::uint16_t>(number)}, delay);
            return tlm::TLM_COMPLETED;
        default:
            SC_REPORT_ERROR(crossbar_report::protocol, "an SMX sent a phase of the backward path");
            return tlm::TLM_ACCEPTED;
    }
}

tlm::tlm_sync_enum crossbar::from_bank(int port, payload& message, memory_phase& phase,
                                       sc_core::sc_time& delay) {
    const auto number = static_cast<std::uint32_t>(port);
    switch (phase) {
        case memory_phase::end_request:
            post(requests_, {&message, static_cast<std::uint16_t>(number)}, delay);
            return tlm::TLM_ACCEPTED;
        case memory_phase::begin_response:
            if (enter(responses_, number, smx_of(message), message, delay)) {
                phase = memory_phase::end_response;
                return tlm::TLM_UPDATED;
            }
            return tlm::TLM_ACCEPTED;
        default:
            SC_REPORT_ERROR(crossbar_report::protocol, "a bank sent a phase of the forward path");
            return tlm::TLM_ACCEPTED;
    }
}

// ---- a cycle ----------------------------------------------------------------------------------

void crossbar::take_events(direction& way, std::uint64_t edge) {
    while (way.events.ready(edge) != nullptr) {
        progress_ = true;
        const event what = way.events.pop();
        if (what.flits == 0) {
            output_port& port = way.outputs[what.port];
            port.on_link = nullptr;
            way.link_busy += edge - port.since;
            if (&way == &responses_) {
                what.what->release();
            }
            continue;
        }
        input_port& port = way.inputs[what.port];
        if (&way == &responses_ && requests_.outputs[what.port].on_link == what.what) {
            // a response stands for the acceptance of its request
            output_port& link = requests_.outputs[what.port];
            link.on_link = nullptr;
            requests_.link_busy += edge - link.since;
        }
        if (what.withheld) {
            port.parked = what;
            port.parked_since = edge;
            way.parked_ports.push_back(what.port);
            continue;
        }
        way.buffers[way.fabric.buffer_of(what.port, what.output)].taken += what.flits;
        way.fabric.push(what.port, what.output, what.what, what.flits, edge);
    }
}

void crossbar::accept(direction& way, std::uint32_t port, payload& message) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (&way == &requests_) {
        memory_phase phase = memory_phase::end_request;
        smx_sockets[port]->nb_transport_bw(message, phase, delay);
    } else {
        memory_phase phase = memory_phase::end_response;
        bank_sockets[port]->nb_transport_fw(message, phase, delay);
    }
}

void crossbar::take_parked(direction& way, std::uint64_t edge) {
    way.accepted_buffers.clear();
    if (way.parked_ports.empty()) return;
    std::size_t kept = 0;
    for (const std::uint32_t number : way.parked_ports) {
        input_port& port = way.inputs[number];
        const std::uint32_t buffer = way.fabric.buffer_of(number, port.parked.output);
        if (way.fabric.room(buffer) < port.parked.flits) {
            way.parked_ports[kept++] = number;
            continue;
        }
        const event what = std::exchange(port.parked, {});
        way.buffers[buffer].taken += what.flits;
        way.input_full += edge - port.parked_since;
        way.fabric.push(number, what.output, what.what, what.flits, edge);
        accept(way, number, *what.what);
        way.accepted_buffers.push_back(buffer);
        progress_ = true;
    }
    way.parked_ports.resize(kept);
}

crossbar::payload* crossbar::send_request(std::uint32_t bank, payload& message) {
    memory_phase phase = memory_phase::begin_request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = bank_sockets[bank]->nb_transport_fw(message, phase, delay);
    if (status == tlm::TLM_COMPLETED ||
        (status == tlm::TLM_UPDATED && phase != memory_phase::end_request)) {
        SC_REPORT_ERROR(crossbar_report::protocol,
                        "a bank answered in the call of the request; legal: end_request");
    }
    return status == tlm::TLM_ACCEPTED ? &message : nullptr;
}

crossbar::payload* crossbar::send_response(std::uint32_t smx, payload& message) {
    memory_phase phase = memory_phase::begin_response;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (smx_sockets[smx]->nb_transport_bw(message, phase, delay) == tlm::TLM_ACCEPTED) {
        return &message;
    }
    message.release();
    return nullptr;
}

void crossbar::send(direction& way, std::uint64_t edge) {
    way.fabric.deliver(edge, [&](std::uint32_t output, payload* message) {
        output_port& port = way.outputs[output];
        if (port.on_link != nullptr) {
            return false;
        }
        progress_ = true;
        port.on_link =
            &way == &requests_ ? send_request(output, *message) : send_response(output, *message);
        port.since = edge;
        return true;
    });
}

void crossbar::evaluate() {
    progress_ = false;
    const std::uint64_t skipped = skipped_edges();
    const std::uint64_t edge = domain().edge();
    for (direction* const way : {&requests_, &responses_}) {
        way->fabric.skip(skipped);
        // (1) messages and credits that have arrived
        take_events(*way, edge);
    }
    for (direction* const way : {&requests_, &responses_}) {
        // (2) the allocators match, flits move
        if (way->waves != nullptr) way->waves->begin(way->fabric);
        way->fabric.arbitrate(edge);
        // (3) messages leave
        send(*way, edge);
        // (4) messages that waited for credits are accepted
        take_parked(*way, edge);
    }
}

void crossbar::latch(direction& way) const {
    const auto latch_buffer = [&](std::uint32_t number) {
        buffer_credits& buffer = way.buffers[number];
        const std::uint32_t room = way.fabric.room(number);
        const auto arriving = static_cast<std::uint32_t>(buffer.sent - buffer.taken);
        buffer.latch.latch(room - std::min(room, arriving));
    };
    for (const auto& moved : way.fabric.moved()) {
        latch_buffer(way.fabric.buffer_of(moved.input, moved.output));
    }
    for (const std::uint32_t number : way.accepted_buffers) {
        latch_buffer(number);  // it took room without a credit
    }
}

activity crossbar::update() {
    for (direction* const way : {&requests_, &responses_}) {
        latch(*way);
        if (way->waves != nullptr) {
            way->waves->show(way->fabric, [way](std::uint32_t output) {
                return way->outputs[output].on_link != nullptr;
            });
        }
    }
    if (progress_ || requests_.fabric.can_move() || responses_.fabric.can_move()) {
        return activity::busy;
    }
    if (requests_.waves != nullptr && !(requests_.waves->settled(requests_.fabric) &&
                                        responses_.waves->settled(responses_.fabric))) {
        return activity::busy;  // the waveform shows what the buffers wait for
    }
    const std::uint64_t edge = domain().edge();
    const std::uint64_t due = std::min(requests_.fabric.next_due(), responses_.fabric.next_due());
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
