// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/cooperation.h"
#include "hw/smx/block_life/block_actions.h"
#include "hw/smx/blocks/life_mechanism.h"
#include "hw/smx/execute/execution_parts.h"

namespace heddle {

/// What a cooperation unit works with; all of it outlives the unit.
struct cooperation_environment {
    clocked& owner;  ///< the SMX's core, which is woken for answers
    sm_id sm;
    execution_parts parts;
    block_actions& actions;
    protocol::initiator_socket_base<protocol::cooperation_link>& link;
    std::uint32_t latency;  ///< of an answer, edges
};

/// The calls of cooperative blocks on an SMX: collects a call of all live threads of a block, as
/// the block's barrier does, and sends it to the SMX scheduler as one message. A block arrives at a
/// global barrier, or asks for more blocks, when its accesses have been performed: others see what
/// it has stored, and have what it has loaded.
///
/// The threads wait as at the block's barrier; coop.num_groups reads what the last answer has told.
class cooperation_unit final : public opcode_unit, public life_mechanism {
public:
    using call_ptr = pool_ptr<protocol::cooperation_call>;

    explicit cooperation_unit(const cooperation_environment& environment);

    execution_outcome execute(const issued_group& issued) override;

    // life_mechanism
    [[nodiscard]] bool busy() const override {
        return (slots_in(block_state::at_call) | slots_in(block_state::dying)) != 0 ||
               !answers_.empty();
    }
    /// Sends calls whose time has come, takes answers, ends blocks that have to die.
    bool cycle(std::uint64_t edge) override;
    void called(std::uint64_t slots) override;
    bool stays(unsigned slot) override;
    void save(unsigned slot, std::vector<std::uint32_t>& words) const override;
    const std::uint32_t* restore(unsigned slot, const std::uint32_t* words) override;
    void returned(unsigned slot) override { (void)stays(slot); }

    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const;

    /// Backward path of the link.
    tlm::tlm_sync_enum answer(protocol::cooperation_call& call, protocol::cooperation_phase phase);

private:
    [[nodiscard]] std::uint64_t slots_in(block_state state) const noexcept {
        return environment_.parts.blocks.slots_in(state);
    }
    void send_calls();
    void take(const protocol::cooperation_call& answer);
    void end_dying();
    void note_start(const issued_group& issued);
    [[nodiscard]] bool waits_for_accesses(unsigned slot) const;
    [[nodiscard]] newcomer origin_of(unsigned slot) const;
    [[nodiscard]] protocol::cooperation_request request_of(unsigned slot) const;
    void request(unsigned slot, protocol::cooperation_request what);

    const cooperation_environment environment_;
    pool<protocol::cooperation_call> calls_;
    inbox<call_ptr> answers_;
    std::uint64_t edge_ = 0;
    bool changed_ = false;  ///< in this cycle
};

}  // namespace heddle
