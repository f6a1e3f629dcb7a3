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
/// split where the bank changes. No DMI. Reported (network_report): an address of no
/// bank, and a bank that answers in the call of the request by more than end_request.
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

private:
    using payload = tlm::tlm_generic_payload;
    enum class event_kind : std::uint8_t { packet, link_free };
    /// Something that a neighbour has said; `port` counts over the ports of one side.
    struct event {
        event_kind kind = event_kind::packet;
        payload* what = nullptr;
        std::uint32_t port = 0;
    };
    /// One end of the network: where packets of one direction enter, and those of the other leave.
    struct port_state {
        explicit port_state(std::uint32_t queue) : credit(queue) {}
        credit_latch credit;
        std::uint32_t arriving = 0;      ///< packets in the inbox
        payload* unaccepted = nullptr;   ///< the inbox's last packet, not accepted in the call
        payload* parked = nullptr;       ///< seen, and no room in the input queue
        std::uint64_t parked_since = 0;  ///< edge
        payload* on_link = nullptr;      ///< left through this port and is not accepted yet
    };
    /// One direction: the ports where its packets enter, their way, and what was counted.
    struct direction {
        direction(clocked& owner, std::uint32_t inputs, std::uint32_t outputs,
                  const network_configuration& configuration);
        inbox<event> events;  ///< packets that enter, and outputs whose link has become free
        fixed_latency_switch<payload*> fabric;
        std::vector<std::uint32_t> parked_ports;
        std::vector<std::uint32_t> accepted_ports;  ///< of parked ones, at this edge
        std::uint64_t packets = 0, bytes = 0, stall_cycles = 0;
    };

    tlm::tlm_sync_enum from_smx(int port, payload& packet, protocol::memory_phase& phase,
                                sc_core::sc_time& delay);
    tlm::tlm_sync_enum from_bank(int port, payload& packet, protocol::memory_phase& phase,
                                 sc_core::sc_time& delay);
    unsigned debug(payload& access);
    /// Puts an event into a direction's inbox; reports a neighbour that breaks the protocol.
    void post(direction& way, const event& what, const sc_core::sc_time& delay);
    bool enter(direction& way, port_state& port, std::uint32_t number, payload& packet,
               const sc_core::sc_time& delay);
    void take_events(direction& way, std::vector<port_state>& inputs,
                     std::vector<port_state>& outputs);
    void queue_packet(direction& way, std::uint32_t input, payload& packet);
    void take_parked(direction& way, std::vector<port_state>& inputs);
    void accept(direction& way, std::uint32_t port, payload& packet);
    void send(direction& way, std::vector<port_state>& outputs);
    /// Puts a packet on the link behind an output; null if the link is free again at once.
    payload* send_request(std::uint32_t bank, payload& packet);
    payload* send_response(std::uint32_t smx, payload& packet);
    void latch(direction& way, std::vector<port_state>& inputs) const;
    [[nodiscard]] std::uint32_t cycles(direction& way, const payload& packet) const;

    const network_configuration configuration_;
    bank_decoder decode_;
    std::vector<port_state> smx_ports_, bank_ports_;
    direction requests_, responses_;
    bool progress_ = false;
    std::uint64_t wake_due_ = 0;  ///< latest wake_at()
    wave_integer requests_wave_, responses_wave_;
};

/// Message ids of the network's reports.
namespace network_report {
inline constexpr const char* protocol = "heddle/network/protocol";
inline constexpr const char* address = "heddle/network/address";
}  // namespace network_report

}  // namespace heddle
