// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/crossbar/crossbar_configuration.h"
#include "hw/crossbar/crossbar_report.h"
#include "hw/crossbar/crossbar_statistics.h"
#include "hw/crossbar/crossbar_way.h"
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
/// Each network is a part of its own (crossbar_way.h), NAME.request and NAME.response.
/// transport_dbg goes to the bank of the address; accesses are split where the bank changes. No
/// DMI. Reported (crossbar_report): an address of no bank, a response to no SMX, a message longer
/// than ports.longest_data, a bank that answers in the call of the request by more than
/// end_request. Buffers shorter than the longest message throw configuration_error.
class crossbar final : public sc_core::sc_module {
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

    /// No message is queued or under way.
    [[nodiscard]] bool empty() const;
    /// Declares crossbar_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;
    /// The two networks.
    [[nodiscard]] clocked& requests() noexcept { return requests_; }
    [[nodiscard]] clocked& responses() noexcept { return responses_; }

private:
    using payload = tlm::tlm_generic_payload;
    /// From the SMXs to the banks.
    class request_way final : public crossbar_way {
    public:
        request_way(crossbar& of, clock_domain& domain, const switch_shape& shape,
                    const slot_maker<allocator_traits>& allocators);

    private:
        void accept(std::uint32_t port, payload& message) override;
        bool put_on_link(std::uint32_t output, payload& message) override;
        void left_link(payload&) override {}

        crossbar& of_;
    };
    /// And back.
    class response_way final : public crossbar_way {
    public:
        response_way(crossbar& of, clock_domain& domain, const switch_shape& shape,
                     const slot_maker<allocator_traits>& allocators);

    private:
        void accept(std::uint32_t port, payload& message) override;
        bool put_on_link(std::uint32_t output, payload& message) override;
        void left_link(payload& message) override { message.release(); }

        crossbar& of_;
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
    bool enter(crossbar_way& way, std::uint32_t port, std::uint32_t output, payload& message,
               const sc_core::sc_time& delay);

    const crossbar_configuration configuration_;
    const std::function<std::uint32_t(std::uint64_t)> bank_of_;
    const std::uint32_t interleave_;
    const std::uint32_t longest_;       ///< flits
    std::vector<std::uint16_t> flits_;  ///< of messages by their bytes of data
    const std::uint32_t others_;        ///< ports that are no SMX's
    request_way requests_;
    response_way responses_;
};

}  // namespace heddle
