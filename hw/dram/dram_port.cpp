// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/dram_port.h"

#include <algorithm>
#include <utility>

#include "hw/base/period.h"
#include "hw/protocol/base_access.h"

namespace heddle {

dram_port::dram_port(clock_domain& domain, std::string name,
                     const memory_configuration& configuration, memory_store store,
                     tlm::tlm_target_socket<32>& socket, waveform* waves)
    : clocked(domain, std::move(name)),
      configuration_(configuration),
      store_(store),
      target_(*this, socket, configuration.queue, "heddle/memory/protocol"),
      under_way_(configuration.queue) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    if (waves != nullptr) {
        under_way_wave_ = waves->declare_integer(part_name() + ".under_way");
    }
}

tlm::tlm_sync_enum dram_port::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                              tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return target_.end_response(phase, delay);
    if (!target_.begin_request(payload, delay)) return tlm::TLM_ACCEPTED;
    return target_.accept_or_withhold(payload, phase);
}

std::uint64_t dram_port::transfer_cycles(const tlm::tlm_generic_payload& payload) const {
    const std::uint64_t width = configuration_.bytes_per_cycle;
    return std::max<std::uint64_t>(1, (payload.get_data_length() + width - 1) / width);
}

void dram_port::start_requests() {
    while (!under_way_.full()) {
        if (target_.requests().ready() == nullptr) {
            return;
        }
        tlm::tlm_generic_payload* const payload = target_.requests().pop();
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
        if (payload == target_.withheld()) {
            target_.accept();
        }
    }
}

void dram_port::respond() {
    if (target_.responding() || under_way_.empty() || under_way_.front().due > domain().edge()) {
        return;
    }
    tlm::tlm_generic_payload* const payload = under_way_.pop().payload;
    store_.perform(*payload, traffic_);
    target_.respond(*payload);
    progress_ = true;
}

void dram_port::evaluate() {
    progress_ = false;
    // (1) requests that fit begin, in order
    start_requests();
    // (2) the response link becomes free
    progress_ |= target_.take_response_ends();
    // (3) the oldest access is performed and answered
    respond();
    if (progress_) {
        pending_.set(domain().edge(), under_way_.size());
    }
}

activity dram_port::update() {
    if (progress_) {
        target_.latch(under_way_.size() + target_.requests().size(), configuration_.queue);
        under_way_wave_.set(static_cast<std::int64_t>(under_way_.size()));
        return activity::busy;
    }
    if (!target_.responding() && !under_way_.empty() && under_way_.front().due != wake_due_) {
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
           (target_.responding() ? ", a response that nobody takes" : "");
}

void dram_port::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    store_.perform(payload, traffic_);
    delay += domain().edge_time(transfer_cycles(payload) + configuration_.latency);
}

bool dram_port::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    return protocol::deny_direct_memory(payload, dmi);
}

unsigned dram_port::transport_dbg(tlm::tlm_generic_payload& payload) {
    return store_.perform_debug(payload);
}

}  // namespace heddle
