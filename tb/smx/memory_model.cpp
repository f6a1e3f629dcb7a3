// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx/memory_model.h"

#include <algorithm>
#include <cstring>

#include "models/isa/atomic.h"

namespace heddle {

using protocol::memory_phase;

memory_model::memory_model(const sc_core::sc_module_name& name, clock_domain& domain,
                           const memory_model_options& options, flat_memory& data)
    : sc_module(name),
      clocked(domain, this->name()),
      socket("socket"),
      options_(options),
      data_(reinterpret_cast<std::uint8_t*>(data.data())),
      accept_stalls_(options.seed, part_name() + ".accept", options.stall_probability),
      answer_stalls_(options.seed, part_name() + ".answer", options.stall_probability),
      random_(options.seed, part_name()),
      requests_(*this, 2),
      ends_(*this, 2) {
    socket.register_nb_transport_fw(this, &memory_model::forward);
}

tlm::tlm_sync_enum memory_model::forward(payload& what, memory_phase& phase, sc_core::sc_time&) {
    if (phase == memory_phase::begin_request) {
        what.acquire();
        if (!requests_.push(&what)) SC_REPORT_ERROR("/heddle/tb/memory", "request without credit");
        return tlm::TLM_ACCEPTED;
    }
    if (!ends_.push(true)) SC_REPORT_ERROR("/heddle/tb/memory", "end_response without response");
    return tlm::TLM_ACCEPTED;
}

void memory_model::evaluate() {
    while (ends_.ready() != nullptr) {
        ends_.pop();
        responding_ = false;
    }
    respond();
    accept();
}

activity memory_model::update() {
    return pending() != 0 ? activity::busy : activity::idle;
}

void memory_model::accept() {
    if (requests_.ready() == nullptr || accept_stalls_.stalled(domain().edge())) return;
    payload* const what = requests_.pop();
    perform(*what);
    if (observer_) observer_(*what);
    const std::uint64_t latency =
        options_.least_latency +
        (options_.latency_spread == 0 ? 0 : random_.below(options_.latency_spread));
    answers_.push({domain().edge() + latency, accesses_++, what});
    auto phase = memory_phase::end_request;
    auto delay = sc_core::SC_ZERO_TIME;
    (void)socket->nb_transport_bw(*what, phase, delay);
}

void memory_model::respond() {
    if (responding_ || answers_.empty() || answers_.top().due > domain().edge() ||
        answer_stalls_.stalled(domain().edge())) {
        return;
    }
    payload* const what = answers_.top().what;
    answers_.pop();
    auto phase = memory_phase::begin_response;
    auto delay = sc_core::SC_ZERO_TIME;
    responding_ = socket->nb_transport_bw(*what, phase, delay) == tlm::TLM_ACCEPTED;
    what->release();
}

void memory_model::perform(payload& what) {
    protocol::memory_access& access = *protocol::access_of(what);
    const auto address = static_cast<std::uint32_t>(what.get_address());
    what.set_response_status(tlm::TLM_OK_RESPONSE);
    switch (access.kind) {
        case protocol::memory_kind::load:
        case protocol::memory_kind::instruction_fetch:
            std::memcpy(what.get_data_ptr(), data_ + address, what.get_data_length());
            break;
        case protocol::memory_kind::store:
        case protocol::memory_kind::write_back:
            for (unsigned byte = 0; byte < what.get_data_length(); ++byte) {
                if (!access.byte_enabled(byte)) continue;
                data_[address + byte] = what.get_data_ptr()[byte];
                drop_reservations(address + byte);
            }
            break;
        case protocol::memory_kind::atomic:
            perform_atomic(what, access);
            break;
    }
}

void memory_model::perform_atomic(payload& what, protocol::memory_access& access) {
    for (unsigned n = 0; n < access.atomic_count; ++n) {
        protocol::lane_atomic& a = access.atomics[n];
        const auto address = static_cast<std::uint32_t>(what.get_address()) + a.offset;
        std::uint32_t old = 0;
        std::memcpy(&old, data_ + address, sizeof old);
        const auto own = [&](const reservation& r) { return r.thread == a.thread; };
        const auto held = std::find_if(reservations_.begin(), reservations_.end(), own);
        const bool holds = held != reservations_.end() && held->address == address;
        a.result = old;
        if (access.operation == isa::opcode::lr_w || access.operation == isa::opcode::sc_w) {
            if (held != reservations_.end()) reservations_.erase(held);
        }
        if (access.operation == isa::opcode::lr_w) {
            reservations_.push_back({a.thread, address});
            continue;
        }
        if (access.operation == isa::opcode::sc_w) {
            a.result = holds ? 0 : 1;
            if (!holds) continue;
        }
        const std::uint32_t next = isa::atomic_result(access.operation, old, a.operand, a.compare);
        std::memcpy(data_ + address, &next, sizeof next);
        drop_reservations(address);
    }
}

void memory_model::drop_reservations(std::uint32_t address) {
    const auto hit = [&](const reservation& r) { return r.address == (address & ~3u); };
    reservations_.erase(std::remove_if(reservations_.begin(), reservations_.end(), hit),
                        reservations_.end());
}

}  // namespace heddle
