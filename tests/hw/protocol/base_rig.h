// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/protocol/base_access.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::protocol::testing {

/// An initiator before a base-protocol target, by hand: the test acts between edges. Edge k lies at
/// k ns. A rig derives from it, makes its target, binds it to `initiator` and calls start().
struct base_rig {
    base_rig() {
        initiator.on_backward = [this](tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) {
            const std::uint64_t now = sc_core::sc_time_stamp().value() / 1000;
            if (phase == tlm::END_REQ) {
                accepted.push_back(now);
                return tlm::TLM_ACCEPTED;
            }
            answered.push_back(now);
            return holds ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
    }
    /// Half an edge behind edge 0.
    static void start() { sc_core::sc_start(500, sc_core::SC_PS); }
    static void run(double edges) { sc_core::sc_start(edges, sc_core::SC_NS); }

    memory_transaction& make(memory_kind kind, std::uint64_t address, unsigned length) {
        memory_transaction& t = *pool.make();
        t.prepare(kind, address, length);
        return t;
    }
    tlm::tlm_sync_enum send(tlm::tlm_generic_payload& t, tlm::tlm_phase phase = tlm::BEGIN_REQ) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        return initiator.socket->nb_transport_fw(t, phase, delay);
    }

    memory_pool pool{"pool"};
    clock_domain domain{"clock", frequency::megahertz(1000)};
    scripted_initiator<base_link> initiator{"initiator"};
    std::vector<std::uint64_t> accepted, answered;  ///< edges of END_REQ and of BEGIN_RESP
    bool holds = false;                             ///< END_RESP is left to the test
};

}  // namespace heddle::protocol::testing
