// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/channel/driver.h"

#include <utility>

namespace heddle::channel {

driver::driver(const sc_core::sc_module_name& name, clock_domain& domain, std::uint32_t atom,
               std::function<channel_access()> next, std::uint64_t accesses, std::uint64_t period)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      atom_(atom),
      next_(std::move(next)),
      accesses_(accesses),
      period_(period),
      pool_(part_name() + ".pool"),
      accepted_(*this, 2) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void driver::send() {
    const channel_access access = next_();
    transaction& t = *pool_.make();
    t.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    t.set_address(access.address);
    t.set_data_ptr(t.data);
    t.set_data_length(atom_);
    t.set_streaming_width(atom_);
    t.set_byte_enable_ptr(nullptr);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    t.sent = domain().edge();
    ++sent_;
    next_edge_ = domain().edge() + period_;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    on_link_ = socket->nb_transport_fw(t, phase, delay) == tlm::TLM_ACCEPTED;
}

void driver::evaluate() {
    if (accepted_.ready() != nullptr) {
        accepted_.pop();
        on_link_ = false;
    }
    if (!on_link_ && sent_ < accesses_ && domain().edge() >= next_edge_) {
        send();
    }
}

activity driver::update() {
    if (!on_link_ && sent_ < accesses_) {
        if (next_edge_ <= domain().edge() + 1) {
            return activity::busy;
        }
        wake_at(next_edge_);
    }
    return activity::idle;
}

tlm::tlm_sync_enum driver::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
        if (!accepted_.push(true)) {
            SC_REPORT_ERROR("channel/driver", "END_REQ without a request");
        }
        return tlm::TLM_ACCEPTED;
    }
    auto& t = static_cast<transaction&>(payload);
    errors_ += t.is_response_ok() ? 0 : 1;
    last_latency_ = domain().edge() - t.sent;
    latency_.add(last_latency_);
    ++answered_;
    if (answered_ == (accesses_ + 3) / 4) quarter_ = domain().edge();
    if (answered_ == accesses_) end_ = domain().edge();
    t.release();
    if (on_answer) on_answer();
    return tlm::TLM_COMPLETED;
}

void driver::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {
    // asks for none
}

}  // namespace heddle::channel
