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
#include "hw/base/delay_edges.h"
#include "hw/base/inbox.h"
#include "hw/base/waveform.h"
#include "hw/crossbar/crossbar_configuration.h"
#include "hw/crossbar/crossbar_statistics.h"
#include "hw/crossbar/crossbar_waves.h"
#include "hw/crossbar/flit_switch.h"
#include "hw/protocol/memory_access.h"
#include "models/base/statistics.h"

namespace heddle {

/// What a crossbar connects.
struct crossbar_ports {
    std::uint32_t smxs = 1, banks = 1;
    std::uint32_t longest_data = 128;  ///< bytes of the longest access, or of its atomics' operands
    /// Which bank an address belongs to.
    std::function<std::uint32_t(std::uint64_t address)> bank_of;
    /// Further initiators, whose ports stand behind those of the SMXs. They do not count for the
    /// utilization.
    std::uint32_t others = 0;
    /// Consecutive bytes that belong to one bank, from address 0 on. A divisor is right, too.
    std::uint32_t interleave = 32;
};

/// Crossbar between the SMXs and the L2 banks: two one-way networks, requests and responses, after
/// Fung, "Dynamic Warp Formation", 2008, section 5.1.2.
///
/// Sockets, all memory_link: smx_sockets[i] (target), bank_sockets[j] (initiator), debug_socket
/// (target, the host's: transport_dbg only). A transaction keeps its payload from end to end and
/// has the four phases at both links. A port accepts in the call while the input buffer of the
/// message's destination has credits for all of its flits, else it withholds end_request
/// (end_response) until it has.
/// A response goes to the port memory_access::sm.
/// Costs: a message is header_bytes and, in the direction that carries them, its data or atomic
/// operands, cut into flits of flit_bytes. Messages seen at edge e request outputs at e; a flit
/// takes `latency` edges from its grant to the output buffer, so that a message of c flits leaves
/// at e + latency + c - 1 at the earliest. An output passes one message an edge to its neighbour
/// and waits for the acceptance. How flits move: flit_switch.h, allocator.h.
/// Sleeps while no flit could move and no message reaches an output.
/// transport_dbg goes to the bank of the address; accesses are split where the bank changes. No
/// DMI. Reported (crossbar_report): an address of no bank, a response to no SMX, a message longer
/// than ports.longest_data, a bank that answers in the call of the request by more than
/// end_request. Buffers shorter than the longest message throw configuration_error.
class crossbar final : public sc_core::sc_module, public clocked {
public:
    using smx_socket = tlm_utils::passthrough_target_socket_tagged<crossbar, protocol::socket_width,
                                                                   protocol::memory_link>;
    using bank_socket = tlm_utils::simple_initiator_socket_tagged<crossbar, protocol::socket_width,
                                                                  protocol::memory_link>;

    sc_core::sc_vector<smx_socket> smx_sockets;
    sc_core::sc_vector<bank_socket> bank_sockets;
    protocol::target_socket_of<crossbar, protocol::memory_link> debug_socket;

    /// `waves` may be null; it and `domain` outlive the crossbar. The slots of the allocators are
    /// NAME.request.allocator_K and NAME.response.allocator_K.
    crossbar(const sc_core::sc_module_name& name, clock_domain& domain,
             const crossbar_configuration& configuration, const crossbar_ports& ports,
             const slot_maker<allocator_traits>& allocators, waveform* waves = nullptr);
    ~crossbar() override;

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// No message is queued or under way.
    [[nodiscard]] bool empty() const;
    /// Declares crossbar_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

private:
    using payload = tlm::tlm_generic_payload;
    /// Something that a neighbour has said.
    struct event {
        payload* what = nullptr;
        std::uint16_t port = 0;    ///< of that side
        std::uint16_t output = 0;  ///< of a message
        std::uint16_t flits = 0;   ///< of a message; 0: the link behind `port` is free
        bool withheld = false;     ///< a message that was not accepted in the call
    };
    /// Where messages of a direction enter.
    struct input_port {
        std::uint64_t bytes = 0;         ///< of all messages; the sender counts them
        event parked;                    ///< seen, and no room; what is null without one
        std::uint64_t parked_since = 0;  ///< edge
    };
    /// Where they leave.
    struct output_port {
        payload* on_link = nullptr;  ///< left, and not accepted yet
        std::uint64_t since = 0;     ///< edge
    };
    /// An input buffer as its sender sees it. Sender and crossbar each write a count of their own.
    struct buffer_credits {
        explicit buffer_credits(std::uint32_t flits) : latch(flits) {}
        credit_latch latch;
        std::uint64_t sent = 0;   ///< flits
        std::uint64_t taken = 0;  ///< of these, neither in the inbox nor parked any more
    };
    /// One of the two networks.
    struct direction {
        direction(clocked& owner, const switch_shape& shape,
                  const crossbar_configuration& configuration,
                  const slot_maker<allocator_traits>& allocators, const std::string& path);
        flit_switch<payload*> fabric;
        inbox<event> events;
        std::vector<input_port> inputs;
        std::vector<output_port> outputs;
        std::vector<buffer_credits> buffers;
        std::vector<std::uint32_t> parked_ports;
        std::vector<std::uint32_t> accepted_buffers;  ///< of parked messages, at this edge
        std::uint64_t input_full = 0;                 ///< ports x cycles with a parked message
        std::uint64_t link_busy = 0;  ///< ports x cycles that a message waits on the link
        std::unique_ptr<crossbar_waves> waves;
    };

    tlm::tlm_sync_enum from_smx(int port, payload& message, protocol::memory_phase& phase,
                                sc_core::sc_time& delay);
    tlm::tlm_sync_enum from_bank(int port, payload& message, protocol::memory_phase& phase,
                                 sc_core::sc_time& delay);
    unsigned debug(payload& access);
    /// Bank of an address; reports one that there is not.
    [[nodiscard]] std::uint32_t bank_of(std::uint64_t address) const;
    /// Flits of a message with so many bytes of data; an error if it is longer than the longest.
    [[nodiscard]] std::uint32_t flits_of(std::uint32_t data) const;
    /// The same for more data than flits_ lists.
    [[nodiscard]] std::uint32_t long_message(std::uint32_t data) const;
    /// SMX of a response, from memory_access::sm; reports one that there is not.
    [[nodiscard]] std::uint32_t smx_of(const payload& message) const;
    /// Puts an event into a direction's inbox; reports a neighbour that breaks the protocol.
    void post(direction& way, const event& what, const sc_core::sc_time& delay) {
        if (!way.events.push(what, delay_edges(domain(), delay))) surplus_phase();
    }
    /// Reports that neighbour.
    static void surplus_phase();
    /// A message enters; whether it is accepted.
    bool enter(direction& way, std::uint32_t port, std::uint32_t output, payload& message,
               const sc_core::sc_time& delay);
    void take_events(direction& way, std::uint64_t edge);
    void take_parked(direction& way, std::uint64_t edge);
    void accept(direction& way, std::uint32_t port, payload& message);
    void send(direction& way, std::uint64_t edge);
    /// Puts a message on the link behind an output; null if the link is free again at once.
    payload* send_request(std::uint32_t bank, payload& message);
    payload* send_response(std::uint32_t smx, payload& message);
    void latch(direction& way) const;
    void collect(const direction& way, const std::string& scope, statistics& out) const;

    const crossbar_configuration configuration_;
    const std::function<std::uint32_t(std::uint64_t)> bank_of_;
    const std::uint32_t interleave_;
    const std::uint32_t longest_;       ///< flits
    std::vector<std::uint16_t> flits_;  ///< of messages by their bytes of data
    const std::uint32_t others_;        ///< ports that are no SMX's
    direction requests_, responses_;
    bool progress_ = false;
    std::uint64_t wake_due_ = 0;  ///< latest wake_at()
};

/// Message ids of the crossbar's reports.
namespace crossbar_report {
inline constexpr const char* protocol = "heddle/crossbar/protocol";
inline constexpr const char* address = "heddle/crossbar/address";
inline constexpr const char* length = "heddle/crossbar/length";
}  // namespace crossbar_report

}  // namespace heddle
