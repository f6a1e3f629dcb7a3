// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/protocol/thread_turn.h"
#include "hw/smx/issue/thread_flights.h"

namespace heddle {

/// The SMX's end of the link to a pool of threads: who comes back to it, and what it has answered.
class pool_port {
public:
    using socket = protocol::initiator_socket_base<protocol::thread_link>;

    pool_port(sm_id sm, socket& to) : to_(&to) { turn_.sm = sm; }

    /// The socket is bound from now on.
    void connect() { pool_ = to_->operator->(); }
    /// `program`, which stays valid, begins with the next call.
    void use_program(const protocol::thread_program& program) noexcept { turn_.program = &program; }

    /// Since the last call: threads that come to the pool, and flights some of whose threads do.
    std::vector<protocol::thread_arrival> arrivals;
    std::vector<thread_flight_index> partly_loaded;

    /// A call would change nothing: no thread comes, and those in the pool, if any, wait for what
    /// they waited for in the last call.
    [[nodiscard]] bool rests(std::uint64_t edge, std::uint32_t accepting) const noexcept {
        if (!arrivals.empty() || edge >= turn_.next_change) return false;
        return turn_.issue.outcome == protocol::turn_outcome::nothing ||
               (turn_.issue.outcome != protocol::turn_outcome::issued &&
                turn_.accepting == accepting);
    }
    /// Asks for a group; `accepting`: as in thread_turn.
    const protocol::thread_issue& call(std::uint64_t edge, std::uint32_t accepting) {
        turn_.calls_before = called_ && turn_.cycle == edge ? turn_.calls_before + 1 : 0;
        called_ = true;
        turn_.cycle = edge;
        turn_.accepting = accepting;
        turn_.arrivals = arrivals.data();
        turn_.arrival_count = static_cast<std::uint32_t>(arrivals.size());
        auto phase = protocol::thread_phase::turn;
        auto time = sc_core::SC_ZERO_TIME;
        pool_->nb_transport_fw(turn_, phase, time);
        arrivals.clear();
        turn_.program = nullptr;
        return turn_.issue;
    }
    /// The answer of the last call.
    [[nodiscard]] const protocol::thread_issue& issue() const noexcept { return turn_.issue; }
    [[nodiscard]] std::uint32_t accepting() const noexcept { return turn_.accepting; }
    [[nodiscard]] std::uint64_t next_change() const noexcept { return turn_.next_change; }

private:
    socket* to_;
    tlm::tlm_fw_transport_if<protocol::thread_link>* pool_ = nullptr;
    protocol::thread_turn turn_;  ///< the payload of all calls
    bool called_ = false;
};

/// A scheduler that issues from a pool of threads.
struct pool_user {
    pool_port::socket* pool;    ///< its own, or the same for all
    protocol::warp_mask warps;  ///< home warps whose threads come to its own pool
};

}  // namespace heddle
