// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/lsu/memory_stub.h"

#include <algorithm>
#include <cstring>

#include "models/isa/atomic.h"

namespace heddle {

using protocol::memory_kind;
using protocol::memory_phase;

memory_stub::memory_stub(const sc_core::sc_module_name& name, clock_domain& domain,
                         const memory_stub_options& options)
    : sc_module(name),
      clocked(domain, this->name()),
      socket("socket"),
      options_(options),
      random_(options.seed, "memory_stub"),
      accept_stalls_(options.seed, "memory_stub.accept", options.stall_probability),
      answer_stalls_(options.seed, "memory_stub.answer", options.stall_probability),
      memory_(std::size_t{1} << 32),
      arrivals_(*this, 4) {
    socket.register_nb_transport_fw(this, &memory_stub::nb_transport_fw);
}

std::uint32_t memory_stub::word(std::uint32_t address) noexcept {
    std::uint32_t value = 0;
    std::memcpy(&value, at(address), sizeof value);
    return value;
}

void memory_stub::set_word(std::uint32_t address, std::uint32_t value) noexcept {
    std::memcpy(at(address), &value, sizeof value);
}

tlm::tlm_sync_enum memory_stub::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                memory_phase& phase, sc_core::sc_time&) {
    if (phase == memory_phase::end_response) return tlm::TLM_ACCEPTED;
    payload.acquire();
    if (!arrivals_.push(&payload)) SC_REPORT_ERROR("heddle/tb/memory_stub", "too many requests");
    if (!options_.accept_in_call) return tlm::TLM_ACCEPTED;
    phase = memory_phase::end_request;
    return tlm::TLM_UPDATED;
}

void memory_stub::evaluate() {
    const std::uint64_t now = domain().edge();
    if (held_) return;
    if (arrivals_.ready() != nullptr && (options_.accept_in_call || !accept_stalls_.stalled(now))) {
        accept(*arrivals_.pop());
    }
    while (!effects_.empty() && effects_.begin()->first <= now) {
        tlm::tlm_generic_payload* const payload = effects_.begin()->second;
        effects_.erase(effects_.begin());
        perform(*payload);
        answers_.emplace(now + random_.below(options_.spread / 2 + 1), payload);
    }
    if (!answers_.empty() && answers_.begin()->first <= now && !answer_stalls_.stalled(now)) {
        tlm::tlm_generic_payload* const payload = answers_.begin()->second;
        answers_.erase(answers_.begin());
        memory_phase phase = memory_phase::begin_response;
        sc_core::sc_time delay;
        if (socket->nb_transport_bw(*payload, phase, delay) != tlm::TLM_COMPLETED) {
            SC_REPORT_ERROR("heddle/tb/memory_stub", "an answer was not taken at once");
        }
        payload->release();
    }
}

void memory_stub::accept(tlm::tlm_generic_payload& payload) {
    const std::uint64_t now = domain().edge();
    const protocol::memory_access& access = *protocol::access_of(payload);
    ++counts_[static_cast<std::size_t>(access.kind)];
    log_.push_back({access.kind, static_cast<std::uint32_t>(payload.get_address()),
                    payload.get_data_length(), access.bypass_l1, now, access.warp});
    std::uint64_t due = now + options_.minimum_latency + random_.below(options_.spread + 1);
    std::uint64_t& line_free = line_free_[payload.get_address() / 128];
    due = std::max(due, line_free);  // equal edges keep the order of acceptance
    line_free = due;
    effects_.emplace(due, &payload);
    if (options_.accept_in_call) return;
    memory_phase phase = memory_phase::end_request;
    sc_core::sc_time delay;
    (void)socket->nb_transport_bw(payload, phase, delay);
}

void memory_stub::perform(tlm::tlm_generic_payload& payload) {
    const protocol::memory_access& access = *protocol::access_of(payload);
    std::uint8_t* const place = at(static_cast<std::uint32_t>(payload.get_address()));
    switch (access.kind) {
        case memory_kind::load:
        case memory_kind::instruction_fetch:
            // Bytes that nobody asked for are poisoned: nobody may look at them.
            for (unsigned i = 0; i < payload.get_data_length(); ++i) {
                payload.get_data_ptr()[i] = access.byte_enabled(i) ? place[i] : 0xa5;
            }
            break;
        case memory_kind::store:
        case memory_kind::write_back:
            for (unsigned i = 0; i < payload.get_data_length(); ++i) {
                if (access.byte_enabled(i)) place[i] = payload.get_data_ptr()[i];
            }
            break;
        case memory_kind::atomic:
            perform_atomics(payload);
            break;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void memory_stub::perform_atomics(const tlm::tlm_generic_payload& payload) {
    protocol::memory_access& access = *protocol::access_of(payload);
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        protocol::lane_atomic& a = access.atomics[i];
        const auto address = static_cast<std::uint32_t>(payload.get_address() + a.offset);
        const std::uint32_t old = word(address);
        a.result = old;
        if (access.operation == isa::opcode::lr_w) {
            reservations_[a.thread] = address;
            continue;
        }
        if (access.operation == isa::opcode::sc_w) {
            const auto found = reservations_.find(a.thread);
            const bool holds = found != reservations_.end() && found->second == address;
            if (found != reservations_.end()) reservations_.erase(found);
            a.result = holds ? 0 : 1;
            if (!holds) continue;
        }
        set_word(address, isa::atomic_result(access.operation, old, a.operand, a.compare));
        for (auto r = reservations_.begin(); r != reservations_.end();) {
            r = r->second == address ? reservations_.erase(r) : std::next(r);
        }
    }
}

activity memory_stub::update() {
    if (held_) return activity::idle;
    return arrivals_.empty() && effects_.empty() && answers_.empty() ? activity::idle
                                                                     : activity::busy;
}

}  // namespace heddle
