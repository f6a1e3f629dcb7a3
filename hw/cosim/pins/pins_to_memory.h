// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "hw/base/payload_pool.h"
#include "hw/base/ring.h"
#include "hw/cosim/pins/memory_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/base_initiator.h"

namespace heddle::pins {

/// Message ids of this transactor's reports.
namespace pins_to_memory_report {
inline constexpr const char* protocol = "heddle/pins_to_memory/protocol";
}  // namespace pins_to_memory_report

/// What has gone through to the memory.
struct pin_memory_counts {
    std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0, errors = 0;
};

/// Transactor from pins to TLM: samples the requests of a memory's pins and sends them to any
/// target of the base protocol, in their order.
///
/// memory_socket: a request has the bytes from the first to the last one of the mask, with byte
/// enables if the mask has holes; a request without any byte is answered at once. Responses are
/// taken at any time (TLM_COMPLETED), early completion included.
/// Costs: a request that is sampled at edge r is sent at r, so that the target sees it at r + 1.
/// The response of a target that completes in the call is driven at r, of others at the first edge
/// behind it.
class pins_to_memory final : public sc_core::sc_module,
                             public clocked,
                             public pin_part,
                             private tlm::tlm_bw_transport_if<> {
public:
    using payload = tlm::tlm_generic_payload;

    tlm::tlm_initiator_socket<32> memory_socket;

    /// `clock` and `pins` outlive the transactor.
    pins_to_memory(const sc_core::sc_module_name& name, pin_clock& clock, memory_pins& pins,
                   const pin_stalls& request_stalls = {}, const pin_stalls& response_stalls = {});
    ~pins_to_memory() override;

    void evaluate() override {}
    [[nodiscard]] activity update() override { return activity::idle; }
    void clock_edge() override;
    [[nodiscard]] std::string waiting_for() const override;

    [[nodiscard]] const pin_memory_counts& counts() const noexcept { return counts_; }

private:
    /// A payload with room for a line.
    struct transfer : tlm::tlm_generic_payload {
        std::uint32_t id = 0;
        std::array<unsigned char, line_bytes> data{};
        std::array<unsigned char, line_bytes> enables{};
    };
    tlm::tlm_sync_enum nb_transport_bw(payload& access, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void take_request(const memory_request_pins& pins);
    void send();
    void answer(transfer& access);
    [[nodiscard]] bool drive(memory_response_pins& pins);

    pin_sink<memory_request_pins> request_;
    pin_source<memory_response_pins> response_;
    protocol::base_initiator memory_;
    payload_pool<transfer> pool_;
    ring<transfer*> waiting_;      ///< not yet sent
    ring<transfer*> answers_;      ///< wait for the pins
    std::uint32_t under_way_ = 0;  ///< from the pins to the pins
    pin_memory_counts counts_;
    line_beat beat_;
};

}  // namespace heddle::pins
