// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>

#include "hw/base/inbox.h"
#include "models/base/histogram.h"
#include "tb/crossbar_traffic/traffic_source.h"

namespace heddle::crossbar_traffic {

/// Stands for an L2 bank: accepts stores, at once or after random stalls, checks that those of one
/// flow come in order and once each, and acknowledges one a cycle.
class traffic_sink final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<traffic_sink, protocol::memory_link> socket{"socket"};

    traffic_sink(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                 const traffic_options& options, std::uint32_t output, ledger& flows);

    void evaluate() override;
    [[nodiscard]] activity update() override;

    /// Messages that have come in the measured cycles, and their time since creation.
    [[nodiscard]] const histogram& latency() const noexcept { return latency_; }

private:
    using payload = tlm::tlm_generic_payload;

    tlm::tlm_sync_enum from_crossbar(payload& transaction, protocol::memory_phase& phase,
                                     sc_core::sc_time& delay);
    void see(const payload& transaction);
    tlm::tlm_sync_enum call(payload& transaction, protocol::memory_phase phase);

    testbench& bench_;
    const traffic_options& options_;
    const std::uint32_t output_;
    ledger& flows_;
    stall_source stalls_;
    inbox<payload*> held_;  ///< not accepted in the call
    inbox<bool> ends_;
    struct answer {
        payload* transaction;
        std::uint64_t accepted;  ///< edge
    };
    std::deque<answer> answers_;
    bool responding_ = false;
    histogram latency_ = histogram::powers_of_two();
};

}  // namespace heddle::crossbar_traffic
