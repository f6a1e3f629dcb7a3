// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/payload_pool.h"
#include "hw/base/ring.h"
#include "hw/protocol/memory_access.h"
#include "hw/smx/memory_port/memory_port_configuration.h"

namespace heddle {

using protocol::memory_requester;
using memory_request = protocol::memory_transaction;

/// An SMX's end of its memory_link: requests out, answers in.
///
/// At most one request begins per edge, request_latency edges after its send() at the earliest;
/// data requests and instruction fetches have a queue each and take turns. An answer is always
/// taken at once (there is room for one to every outstanding request) and is seen return_latency
/// edges after its arrival; time annotations of the target are taken as zero. Requests leave in the
/// order of send() within a queue. Order of memory: accesses of one SMX to one line take effect in
/// the order in which they began; the L1D and the load-store unit rely on it. Errors: an answer
/// other than TLM_OK_RESPONSE, an illegal phase or TLM status are reported as
/// heddle/smx/memory_port. No allocation once the pool has grown to the outstanding requests.
class memory_port {
public:
    enum class queue : std::uint8_t { data, instructions };

    /// `owner` is woken for answers and credits. The socket must outlive the port.
    memory_port(clocked& owner, sm_id sm,
                protocol::initiator_socket_base<protocol::memory_link>& socket,
                const memory_port_configuration& configuration);
    ~memory_port();

    /// Whether `count` more requests fit. Grows in receive() and transmit() only.
    [[nodiscard]] bool can_send(queue which, unsigned count = 1) const noexcept {
        return count <= room(which);
    }
    /// How many more requests fit.
    [[nodiscard]] unsigned room(queue which) const noexcept {
        const ring<waiting_request>& to = queues_[static_cast<std::size_t>(which)];
        return static_cast<unsigned>(std::min(to.capacity() - to.size(), limit_ - outstanding_));
    }
    /// A request in its initial state, with the SMX's id filled in; complete it (prepare() first,
    /// then access() and data()), then send() it. There must be room for it.
    [[nodiscard]] memory_request& make();
    void send(queue which, memory_request& request);

    /// Step (1) of a cycle: hands the answers that are due to their requesters.
    void receive(std::uint64_t edge) {
        // An answer is expected one edge before it is due.
        const bool credit = !credits_.empty() && credits_.first_due() <= edge;
        const bool answer = !answers_.empty() && answers_.first_due() <= edge + 1;
        if (credit || answer) receive_due(edge);
    }
    /// After all have sent: begins a request if the link is free and one is due; returns whether it
    /// has. Nothing happens then before next_due(), or the owner is woken: when the credit comes,
    /// and after an answer within the call.
    bool transmit(std::uint64_t edge) {
        return requested_ == nullptr && first_due_ <= edge && begin_next(edge);
    }
    /// Next edge at which transmit() can begin a request, if the link stays free; ~0 if none waits.
    [[nodiscard]] std::uint64_t next_due() const noexcept {
        return requested_ != nullptr ? never : first_due_;
    }

    /// Requests on their way to the link, or waiting for it.
    [[nodiscard]] std::size_t waiting() const noexcept {
        return queues_[0].size() + queues_[1].size();
    }
    /// Requests that memory has not answered, waiting ones included.
    [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_; }
    [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }
    /// Line for the wait-for report; empty if nothing is outstanding.
    [[nodiscard]] std::string waiting_for() const;

    /// The socket's backward path (the owner registers it).
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload,
                                       protocol::memory_phase& phase, sc_core::sc_time& delay);

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    struct waiting_request {
        memory_request* request = nullptr;
        std::uint64_t due = 0;  ///< edge at which it may begin
    };
    struct answer {
        memory_request* request = nullptr;
        bool needs_end = false;  ///< end_response is still to be sent
    };

    [[nodiscard]] static std::uint64_t due(const ring<waiting_request>& queue) noexcept {
        return queue.empty() ? never : queue.front().due;
    }
    void receive_due(std::uint64_t edge);
    bool begin_next(std::uint64_t edge);
    void begin(memory_request& request, std::uint64_t edge);
    void take(const answer& got);
    [[gnu::cold]] void report(const std::string& what) const;

    clocked* owner_;
    sm_id sm_;
    protocol::initiator_socket_base<protocol::memory_link>* socket_;
    payload_pool<memory_request> pool_;
    std::uint32_t request_latency_;
    std::uint32_t return_latency_;
    std::array<ring<waiting_request>, 2> queues_;
    std::size_t limit_;
    std::size_t outstanding_ = 0;
    std::uint64_t requests_ = 0;
    std::uint8_t turn_ = 0;                ///< queue that goes first
    std::uint64_t first_due_ = never;      ///< of both queues
    memory_request* requested_ = nullptr;  ///< waits for end_request
    inbox<answer> answers_;
    inbox<memory_request*> credits_;
};

}  // namespace heddle
