// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/axi/bus_stalls.h"
#include "hw/axi/manager_core.h"
#include "hw/axi/pins.h"
#include "hw/axi/write_journal.h"
#include "hw/base/clock_domain.h"
#include "hw/base/ring.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/base_target.h"

namespace heddle::axi {

/// Message ids of the bridges' reports.
namespace bridge_report {
inline constexpr const char* protocol = "heddle/axi/protocol";
}  // namespace bridge_report

struct axi_manager_options {
    manager_settings settings;  ///< bus_bytes is that of the pins
    std::uint64_t memory_bytes = std::uint64_t{1} << 32;
    bus_stalls stalls;
    /// High while the subordinate holds no write that it has answered; null: it never does.
    const sc_core::sc_signal_in_if<bool>* idle = nullptr;
};

/// Bridge from TLM to AXI4: drives the manager's pins of a bus (manager_core).
///
/// Sockets, plain TLM-2.0 base protocol. request_socket (target): reads and writes of any length
/// and alignment, with byte enables. A request is accepted in the call while there is room, else
/// END_REQ is withheld; responses come as the bus gives them, one a clock. debug_socket
/// (initiator): the memory behind the bus, for what goes around it.
/// Costs, unloaded: AR or AW is on the pins behind the edge that sees the request; the response
/// goes out at the edge that samples the last beat of R, or B. transport_dbg goes to debug_socket.
/// A read then gets the bytes of writes that are not there yet: without a response, or answered by
/// a subordinate whose idle pin is low. A write while a write is open is done at once, and once
/// more when no write is open and the idle pin is high, because the open one may carry older bytes;
/// until then nothing new begins. b_transport goes to debug_socket and adds the clocks of an
/// unloaded bus. No DMI. Illegal accesses (check_base_access()) get their TLM status without the
/// bus. Responses that answer nothing are SC_REPORT_ERRORs, and ignored.
class axi_manager final : public sc_core::sc_module,
                          public clocked,
                          public pins::pin_part,
                          private tlm::tlm_fw_transport_if<>,
                          private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<32> request_socket{"request_socket"};
    tlm::tlm_initiator_socket<32> debug_socket{"debug_socket"};

    /// `clock`, `pins` and options.idle outlive the bridge.
    axi_manager(const sc_core::sc_module_name& name, pins::pin_clock& clock, bus_pins& pins,
                const axi_manager_options& options);
    ~axi_manager() override;

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;
    void clock_edge() override;

    /// Called for each debug write, for a checker that knows bytes.
    void observe_debug_writes(std::function<void(std::uint64_t address, unsigned bytes)> observer) {
        observer_ = std::move(observer);
    }

private:
    using payload = tlm::tlm_generic_payload;

    tlm::tlm_sync_enum nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(payload& request, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(payload& request) override;
    tlm::tlm_sync_enum nb_transport_bw(payload& request, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    [[nodiscard]] bool quiet() const { return options_.idle == nullptr || options_.idle->read(); }
    void take_requests();
    void take_finished();
    void settle();
    /// Requests and responses that are here or on the bus.
    [[nodiscard]] std::size_t held() const {
        return core_.open() + responses_.size() + target_.requests().size();
    }

    axi_manager_options options_;
    bus_pins& pins_;
    manager_core core_;
    subordinate_side in_;
    protocol::base_target target_;
    ring<payload*> responses_;
    write_journal journal_;
    std::uint64_t unexpected_ = 0;  ///< reported
    std::function<void(std::uint64_t, unsigned)> observer_;
};

}  // namespace heddle::axi
