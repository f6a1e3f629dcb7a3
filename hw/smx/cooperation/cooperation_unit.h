// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/cooperation.h"
#include "hw/smx/execute/execution_parts.h"

namespace heddle {

/// What a cooperation unit works with; all of it outlives the unit.
struct cooperation_environment {
    clocked& owner;  ///< the SMX's core, which is woken for answers
    sm_id sm;
    execution_parts parts;
    protocol::initiator_socket_base<protocol::cooperation_link>& link;
    std::uint32_t latency;  ///< of an answer, edges
};

/// The calls of cooperative blocks on an SMX: collects a call of all live threads of a block, as
/// the block's barrier does, and sends it to the SMX scheduler as one message. A block arrives at a
/// global barrier, or asks for more blocks, when its accesses have been performed: others see what
/// it has stored, and have what it has loaded.
///
/// The threads wait as at the block's barrier; coop.num_groups reads what the last answer has told.
///
/// Order of calls at an edge: the front's steps, collect(), send(), take_answer(), ...
class cooperation_unit final : public opcode_unit {
public:
    using call_ptr = pool_ptr<protocol::cooperation_call>;

    explicit cooperation_unit(const cooperation_environment& environment);

    execution_outcome execute(const issued_group& issued) override;

    /// All threads of these blocks have come to a call.
    void collect(std::uint64_t slots);
    /// Sends calls whose time has come; `drained(slot)`: no access of the block is under way.
    template <class Drained>
    void send(Drained&& drained) {
        bits::for_each(waiting_, [&](unsigned slot) {
            if (waits_for_accesses(slot) && !drained(slot)) return;
            waiting_ &= ~bits::one(slot);
            request(slot, request_of(slot));
        });
    }
    /// The next answer that has come; null: there is none.
    [[nodiscard]] call_ptr take_answer();
    /// Asks for the answer to a call of a block that was told to leave, and is here again.
    void ask_again(unsigned slot) { request(slot, protocol::cooperation_request::come_back); }
    /// A call of the block is to be sent, or its answer to come, or its end.
    [[nodiscard]] bool under_way(unsigned slot) const noexcept {
        return bits::test(waiting_ | sent_ | dying_, slot);
    }
    /// The block has to end, when nothing of it is under way.
    void kill(unsigned slot) noexcept { dying_ |= bits::one(slot); }
    /// Calls end(slot) for each block that is to end and rests(slot).
    template <class Rests, class End>
    void end_blocks(Rests&& rests, End&& end) {
        bits::for_each(dying_, [&](unsigned slot) {
            if (!rests(slot)) return;
            dying_ &= ~bits::one(slot);
            end(slot);
        });
    }
    /// A cycle may have something to do.
    [[nodiscard]] bool busy() const noexcept {
        return (waiting_ | dying_) != 0 || !answers_.empty();
    }
    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const;

    /// Backward path of the link.
    tlm::tlm_sync_enum answer(protocol::cooperation_call& call, protocol::cooperation_phase phase);

private:
    void note_start(const issued_group& issued);
    [[nodiscard]] bool waits_for_accesses(unsigned slot) const;
    [[nodiscard]] newcomer origin_of(unsigned slot) const;
    [[nodiscard]] protocol::cooperation_request request_of(unsigned slot) const;
    void request(unsigned slot, protocol::cooperation_request what);

    const cooperation_environment environment_;
    pool<protocol::cooperation_call> calls_;
    inbox<call_ptr> answers_;
    std::uint64_t waiting_ = 0;  ///< block slots whose call is to be sent
    std::uint64_t sent_ = 0;     ///< whose answer has not come
    std::uint64_t dying_ = 0;
};

}  // namespace heddle
