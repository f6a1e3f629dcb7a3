// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/base/ring.h"
#include "hw/cosim/pins/line_beat.h"
#include "hw/cosim/pins/memory_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/base_target.h"
#include "models/base/run_status.h"

namespace heddle::pins {

/// Message ids of this transactor's reports.
namespace memory_to_pins_report {
inline constexpr const char* protocol = "heddle/memory_to_pins/protocol";
}  // namespace memory_to_pins_report

/// Transactor from TLM to pins: a target of the base protocol that drives the pins of a memory.
///
/// request_socket takes reads and writes of one aligned line of 128 bytes or less, with byte
/// enables. A request is accepted in the call while fewer than memory_ids are under way, else
/// END_REQ is withheld. Responses come in the order in which the pins have them, one a clock.
/// Costs: a request that is sent at edge e is driven at e + 1, so that the memory samples it at
/// e + 2; a response that is sampled at edge r is sent at r, so that it is seen at r + 1.
/// transport_dbg goes to `debug`, around the pins; a read finds writes that are under way here.
/// b_transport and DMI are refused. Illegal accesses (check_base_access(), more than one line) are
/// answered with their TLM status, reported to run_status, and never reach the pins.
class memory_to_pins final : public sc_core::sc_module,
                             public clocked,
                             public pin_part,
                             private tlm::tlm_fw_transport_if<> {
public:
    using payload = tlm::tlm_generic_payload;
    /// transport_dbg of what is behind the pins.
    using debug_access = std::function<unsigned(payload&)>;

    tlm::tlm_target_socket<32> request_socket;

    /// `bytes`: of the memory. `clock`, `pins` and `status` outlive the transactor.
    memory_to_pins(const sc_core::sc_module_name& name, pin_clock& clock, memory_pins& pins,
                   std::uint64_t bytes, debug_access debug, run_status& status,
                   const pin_stalls& request_stalls = {}, const pin_stalls& response_stalls = {});

    void evaluate() override {}
    [[nodiscard]] activity update() override { return activity::idle; }
    void clock_edge() override;
    [[nodiscard]] std::string waiting_for() const override;

private:
    tlm::tlm_sync_enum nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(payload& request, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(payload& request) override;

    void take_response(const memory_response_pins& pins);
    void answer(payload& request);
    [[nodiscard]] bool drive(memory_request_pins& pins);
    [[nodiscard]] bool check(payload& request);
    /// Accesses that wait here, are on their way, or have no END_RESP yet.
    [[nodiscard]] std::size_t held() const { return under_way_.size() + answers_.size(); }

    const std::uint64_t bytes_;
    const debug_access debug_;
    run_status& status_;
    pin_source<memory_request_pins> request_;
    pin_sink<memory_response_pins> response_;
    protocol::base_target target_;
    std::vector<payload*> under_way_;           ///< without an answer, the oldest first
    std::array<payload*, memory_ids> by_id_{};  ///< on the pins or behind them
    ring<payload*> answers_;                    ///< wait for their response
    line_beat beat_;
};

}  // namespace heddle::pins
