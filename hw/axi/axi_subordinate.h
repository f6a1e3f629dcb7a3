// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/axi/bus_stalls.h"
#include "hw/axi/pins.h"
#include "hw/axi/subordinate_core.h"
#include "hw/base/clock_domain.h"
#include "hw/base/payload_pool.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/base_initiator.h"

namespace heddle::axi {

struct axi_subordinate_options {
    subordinate_settings settings;  ///< bus_bytes is that of the pins
    bus_stalls stalls;
};

/// Bridge from AXI4 to TLM: drives the subordinate's pins of a bus (subordinate_core).
///
/// Sockets, plain TLM-2.0 base protocol. memory_socket (initiator): a transaction for each burst,
/// with byte enables where strobes are missing; it takes responses in any order and at any time.
/// debug_socket (target): transport_dbg and b_transport go on to memory_socket, for a manager that
/// goes around the bus.
/// Costs, unloaded: the request goes out at the edge that samples AR, or the last beat of W. The
/// first beat of R, or B, is on the pins behind the edge that sees the memory's response.
/// TLM's ADDRESS_ERROR becomes DECERR, every other error SLVERR.
class axi_subordinate final : public sc_core::sc_module,
                              public clocked,
                              public pins::pin_part,
                              private tlm::tlm_fw_transport_if<>,
                              private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<32> memory_socket{"memory_socket"};
    tlm::tlm_target_socket<32> debug_socket{"debug_socket"};

    /// `clock` and `pins` outlive the bridge.
    axi_subordinate(const sc_core::sc_module_name& name, pins::pin_clock& clock, bus_pins& pins,
                    const axi_subordinate_options& options);
    ~axi_subordinate() override;

    void evaluate() override;
    [[nodiscard]] activity update() override { return activity::busy; }  // pins do not sleep
    [[nodiscard]] std::string waiting_for() const override;
    void clock_edge() override;

private:
    using payload = tlm::tlm_generic_payload;
    struct burst_payload : payload {
        subordinate_core::index at = 0;
    };
    tlm::tlm_sync_enum nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(payload& request, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(payload& request) override;
    tlm::tlm_sync_enum nb_transport_bw(payload& request, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    void send(subordinate_core::index at);

    axi_subordinate_options options_;
    bus_pins& pins_;
    subordinate_core core_;
    manager_side in_;
    payload_pool<burst_payload> pool_;
    protocol::base_initiator memory_;
};

}  // namespace heddle::axi
