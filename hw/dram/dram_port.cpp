// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/dram_port.h"

#include <algorithm>
#include <utility>

#include "hw/base/delay_edges.h"
#include "hw/base/period.h"
#include "hw/protocol/memory_access.h"

namespace heddle {

dram_port::dram_port(clock_domain& domain, std::string name,
                     const memory_configuration& configuration, memory_store store,
                     tlm::tlm_target_socket<32>& socket, waveform* waves)
    : clocked(domain, std::move(name)),
      configuration_(configuration),
      store_(store),
      socket_(socket),
      requests_(*this, configuration.queue + 1),
      response_ends_(*this, 2),
      credit_(configuration.queue),
      under_way_(configuration.queue) {
    socket_.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    if (waves != nullptr) {
        under_way_wave_ = waves->declare_integer(part_name() + ".under_way");
    }
}

tlm::tlm_sync_enum dram_port::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                              tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
        if (!response_ends_.push(true, delay_edges(domain(), delay))) {
            SC_REPORT_ERROR("heddle/memory/protocol", "END_RESP without a response");
        }
        return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) {
        return tlm::TLM_ACCEPTED;  // other protocols' phases are ignorable (IEEE 1666 15.2.5)
    }
    if (!requests_.push(&payload, delay_edges(domain(), delay))) {
        SC_REPORT_ERROR("heddle/memory/protocol", "BEGIN_REQ before END_REQ of the one before");
        return tlm::TLM_ACCEPTED;
    }
    payload.acquire();
    if (!credit_.take()) {
        unaccepted_ = &payload;
        return tlm::TLM_ACCEPTED;
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

std::uint64_t dram_port::transfer_cycles(const tlm::tlm_generic_payload& payload) const {
    const std::uint64_t width = configuration_.bytes_per_cycle;
    return std::max<std::uint64_t>(1, (payload.get_data_length() + width - 1) / width);
}

void dram_port::start_requests() {
    while (!under_way_.full()) {
        tlm::tlm_generic_payload** const next = requests_.ready();
        if (next == nullptr) {
            return;
        }
        tlm::tlm_generic_payload* const payload = requests_.pop();
        const std::uint64_t transfer = transfer_cycles(*payload);
        const std::uint64_t begins = std::max(domain().edge(), transfers_end_);
        if (protocol::memory_access* const access = protocol::access_of(*payload)) {
            access->times.fetch.dispatched =
                static_cast<double>(begins) * period_of(domain().rate());
        }
        transfers_end_ = begins + transfer;
        busy_cycles_ += transfer;
        under_way_.push({payload, transfers_end_ + configuration_.latency});
        progress_ = true;
        if (payload == unaccepted_) {
            unaccepted_ = nullptr;
            tlm::tlm_phase phase = tlm::END_REQ;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket_->nb_transport_bw(*payload, phase, delay);
        }
    }
}

void dram_port::respond() {
    if (responding_ || under_way_.empty() || under_way_.front().due > domain().edge()) {
        return;
    }
    tlm::tlm_generic_payload* const payload = under_way_.pop().payload;
    store_.perform(*payload, traffic_);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket_->nb_transport_bw(*payload, phase, delay);
    responding_ = status == tlm::TLM_ACCEPTED;
    if (status == tlm::TLM_UPDATED && delay != sc_core::SC_ZERO_TIME) {
        responding_ = response_ends_.push(true, delay_edges(domain(), delay));
    }
    payload->release();
    progress_ = true;
}

void dram_port::evaluate() {
    progress_ = false;
    // (1) requests that fit begin, in order
    start_requests();
    // (2) the response link becomes free
    while (response_ends_.ready() != nullptr) {
        response_ends_.pop();
        responding_ = false;
        progress_ = true;
    }
    // (3) the oldest access is performed and answered
    respond();
    if (progress_) {
        pending_.set(domain().edge(), under_way_.size());
    }
}

activity dram_port::update() {
    if (progress_) {
        const std::size_t used = under_way_.size() + requests_.size();
        credit_.latch(static_cast<std::uint32_t>(
            configuration_.queue - std::min<std::size_t>(used, configuration_.queue)));
        under_way_wave_.set(static_cast<std::int64_t>(under_way_.size()));
        return activity::busy;
    }
    if (!responding_ && !under_way_.empty() && under_way_.front().due != wake_due_) {
        wake_due_ = under_way_.front().due;
        wake_at(wake_due_);
    }
    return activity::idle;
}

std::string dram_port::waiting_for() const {
    if (under_way_.empty()) {
        return {};
    }
    return std::to_string(under_way_.size()) + " accesses under way" +
           (responding_ ? ", a response that nobody takes" : "");
}

void dram_port::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    store_.perform(payload, traffic_);
    delay += domain().edge_time(transfer_cycles(payload) + configuration_.latency);
}

bool dram_port::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    payload.set_dmi_allowed(false);
    dmi.set_start_address(0);
    dmi.set_end_address(~sc_dt::uint64{0});  // denied everywhere
    dmi.allow_none();
    return false;
}

unsigned dram_port::transport_dbg(tlm::tlm_generic_payload& payload) {
    return store_.perform_debug(payload);
}

}  // namespace heddle
