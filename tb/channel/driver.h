// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/payload_pool.h"
#include "models/base/histogram.h"
#include "tb/channel/traffic.h"

namespace heddle::channel {

/// Sends accesses of one atom to a base-protocol target and takes every response at once.
///
/// A request leaves at an edge at which the one before has been accepted, `period` clocks after it
/// at the earliest: 1 keeps the channel saturated.
class driver final : public sc_core::sc_module, public clocked, private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<32> socket{"socket"};

    /// `next` gives the accesses; `accesses` of them are sent.
    driver(const sc_core::sc_module_name& name, clock_domain& domain, std::uint32_t atom,
           std::function<channel_access()> next, std::uint64_t accesses, std::uint64_t period);

    void evaluate() override;
    [[nodiscard]] activity update() override;

    [[nodiscard]] bool done() const noexcept { return answered_ == accesses_; }
    [[nodiscard]] std::uint64_t answered() const noexcept { return answered_; }
    /// From the edge that sends a request to the edge that answers it.
    [[nodiscard]] const histogram& latency() const noexcept { return latency_; }
    [[nodiscard]] std::uint64_t last_latency() const noexcept { return last_latency_; }
    /// Edges at which a quarter and all of the accesses had been answered.
    [[nodiscard]] std::uint64_t quarter() const noexcept { return quarter_; }
    [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
    [[nodiscard]] std::uint64_t errors() const noexcept { return errors_; }
    [[nodiscard]] std::string leak_report() const { return pool_.leak_report(); }
    /// Called with the answer of each access.
    std::function<void()> on_answer;

private:
    struct transaction : tlm::tlm_generic_payload {
        std::uint8_t data[128] = {};
        std::uint64_t sent = 0;
    };

    void send();
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    const std::uint32_t atom_;
    std::function<channel_access()> next_;
    const std::uint64_t accesses_;
    const std::uint64_t period_;
    payload_pool<transaction> pool_;
    inbox<bool> accepted_;
    bool on_link_ = false;
    std::uint64_t sent_ = 0;
    std::uint64_t next_edge_ = 0;
    std::uint64_t answered_ = 0;
    std::uint64_t last_latency_ = 0;
    std::uint64_t quarter_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t errors_ = 0;
    histogram latency_ = histogram::powers_of_two();
};

}  // namespace heddle::channel
