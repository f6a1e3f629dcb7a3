// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/smx/block_life/block_actions.h"
#include "hw/smx/block_life/block_mover.h"
#include "hw/smx/block_life/preempted_blocks.h"
#include "hw/smx/blocks/life_mechanism.h"
#include "hw/smx/issue/issue_front.h"
#include "hw/smx/pipeline/issue_table.h"

namespace heddle {

/// What the life of blocks works with; all of it outlives the object.
struct life_environment {
    clocked& owner;  ///< the SMX's core, which is woken by dispatches
    execution_parts parts;
    const issue_table& table;
    issue_front& front;
    shared_memory& shared;
    memory_port& port;
    std::uint32_t private_bytes;  ///< of a thread
    std::uint32_t line_bytes;     ///< the longest request
    protocol::target_socket_base<protocol::block_link>& link;
};

/// Step (6) of an SMX's cycle: the thread blocks from their dispatch to their end, with the
/// barriers and calls at which all threads of a block meet. A block slot has one state
/// (block_states.h). Why a block leaves before its end is the business of the mechanisms that are
/// registered; how its state moves, that of block_mover.
class block_life {
public:
    explicit block_life(const life_environment& environment);

    /// From now on blocks may leave the SMX before their end: `areas` has memory for their states.
    void allow_leaving(device_runtime& areas, movable_warps& warps);
    /// From now on blocks may be told to make room. Precondition: they may leave.
    void allow_preemption(movable_warps& warps);
    /// Precondition: allow_preemption() has been called.
    [[nodiscard]] preempted_blocks& preempting() noexcept { return *preempted_; }
    /// The mechanism is asked while programs run that have instructions of the class.
    void add(life_mechanism& mechanism, isa::instruction_class needed_for);
    /// A new program; `table` has been built.
    void use_programs(std::size_t kernels);

    /// block_link, forward path.
    tlm::tlm_sync_enum dispatch(protocol::block_dispatch& payload, protocol::block_phase& phase);
    /// A block starts in this cycle.
    [[nodiscard]] bool starts_block() { return dispatches_.ready() != nullptr; }
    /// True: the next cycle may differ from this one.
    bool cycle(std::uint64_t edge) {
        const bool quiet = dispatches_.empty() && !blocks_.has_news() && !moving() && !asks();
        return !quiet && run(edge);
    }

    /// The program makes blocks deal with the rest of the machine otherwise than by their starts
    /// and ends: the SMX then takes its turn among all SMXs (crew::in_order()).
    [[nodiscard]] bool takes_turns() const noexcept { return !asked_.empty(); }

    /// For mechanisms that are registered.
    [[nodiscard]] block_actions& actions() noexcept { return actions_; }

    /// For the wait-for report: blocks that leave or come back; empty if none do. Precondition:
    /// allow_leaving() has been called.
    [[nodiscard]] std::string waiting_for() const { return mover_->waiting_for(); }

private:
    void add(life_mechanism& mechanism);
    /// The state of a block is on its way.
    [[nodiscard]] bool moving() const noexcept {
        return (blocks_.slots_in(block_state::leaving) | blocks_.slots_in(block_state::coming)) !=
               0;
    }
    /// A mechanism has something to do in this cycle.
    [[nodiscard]] bool asks() const {
        for (const life_mechanism* const mechanism : asked_) {
            if (mechanism->busy()) return true;
        }
        return false;
    }
    bool run(std::uint64_t edge);
    void announce();
    void tell_calls();
    void end_blocks();
    void gone(unsigned slot);
    void start(pool_ptr<protocol::block_dispatch> dispatch);
    void set_state(unsigned warp, const newcomer& from);
    void start_warps(const block_table::block_context& block);
    void move_blocks();
    void try_to_leave(unsigned slot);
    [[nodiscard]] bool may_leave(unsigned slot) const;
    void left(const block_mover::moved_block& moved);
    void returned(const block_mover::moved_block& moved);
    void send(protocol::block_dispatch& block, protocol::block_phase phase);

    const life_environment environment_;
    block_table& blocks_;
    issue_front& front_;
    block_actions actions_;
    std::vector<life_mechanism*> mechanisms_;
    /// By mechanism: which programs need it; null: all.
    std::vector<std::optional<isa::instruction_class>> needed_for_;
    std::vector<life_mechanism*> asked_;           ///< those that the program needs
    std::unique_ptr<preempted_blocks> preempted_;  ///< null: nobody tells blocks to make room
    /// None: blocks stay until their end, and wait for their children here.
    std::optional<block_mover> mover_;
    inbox<pool_ptr<protocol::block_dispatch>> dispatches_;
    std::uint64_t edge_ = 0;
    bool changed_ = false;  ///< the next edge may differ from this one
};

}  // namespace heddle
