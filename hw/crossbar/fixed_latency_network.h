// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/credit_latch.h"
#include "hw/base/inbox.h"
#include "hw/base/waveform.h"
#include "hw/crossbar/fixed_latency_switch.h"
#include "hw/crossbar/network_configuration.h"
#include "hw/protocol/memory_access.h"
#include "models/base/statistics.h"

namespace heddle {

inline constexpr statistic_declaration network_statistics[] = {
    {"requests", "packet", "Packets from the SMXs to the L2 banks"},
    {"responses", "packet", "Packets from the L2 banks to the SMXs"},
    {"request_bytes", "byte", "Bytes of the requests, headers included"},
    {"response_bytes", "byte", "Bytes of the responses, headers included"},
    {"request_stall_cycles", "cycle", "Time of SMXs' requests before a full input queue"},
    {"response_stall_cycles", "cycle", "Time of banks' responses before a full input queue"},
    {"request_wait_cycles", "cycle", "Time of requests in input queues"},
    {"response_wait_cycles", "cycle", "Time of responses in input queues"},
};

/// Which bank an address belongs to.
using bank_decoder = std::function<std::uint32_t(std::uint64_t address)>;

/// Network of fixed latency between the SMXs and the L2 banks. Requests and responses go through
/// switches of their own.
///
/// Sockets, all memory_link: smx_sockets[i] (target), bank_sockets[j] (initiator), debug_socket
/// (target, the host's: transport_dbg only). A transaction keeps its payload from end to end and
/// has the four phases at both links. A port accepts in the call while its input queue has room,
/// else it withholds end_request (end_response).
/// Costs: each port moves bytes_per_cycle; a packet is header_bytes and, in the direction that
/// carries them, its data or atomic operands, and keeps its input and its output port for
/// ceil(bytes / bytes_per_cycle) cycles. A packet seen at edge e leaves at e + latency + cycles - 1
/// at the earliest. Outputs pick among the inputs round robin.
/// transport_dbg goes to the bank of the address; accesses that cross a boundary of 32 bytes are
/// split where the bank changes. No DMI. An address of no bank is reported (network_report).
class fixed_latency_network final : public sc_core::sc_module, public clocked {
public:
    using smx_socket =
        tlm_utils::passthrough_target_socket_tagged<fixed_latency_network, protocol::socket_width,
                                                    protocol::memory_link>;
    using bank_socket =
        tlm_utils::simple_initiator_socket_tagged<fixed_latency_network, protocol::socket_width,
                                                  protocol::memory_link>;

    sc_core::sc_vector<smx_socket> smx_sockets;
    sc_core::sc_vector<bank_socket> bank_sockets;
    protocol::target_socket_of<fixed_latency_network, protocol::memory_link> debug_socket;

    /// `waves` may be null; it and `domain` outlive the network.
    fixed_latency_network(const sc_core::sc_module_name& name, clock_domain& domain,
                          const network_configuration& configuration, std::uint32_t smx_count,
                          std::uint32_t bank_count, bank_decoder decode, waveform* waves = nullptr);
    ~fixed_latency_network() override;

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// No packet is queued or under way.
    [[nodiscard]] bool empty() const;
    /// Declares network_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;
};

}  // namespace heddle
