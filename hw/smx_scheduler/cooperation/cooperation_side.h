// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/cooperation.h"
#include "hw/protocol/link.h"
#include "hw/smx_scheduler/cooperation/cooperation_counts.h"
#include "hw/smx_scheduler/cooperation/forked_blocks.h"
#include "hw/smx_scheduler/cooperation/room_demand.h"
#include "hw/smx_scheduler/placement/preemption.h"
#include "models/base/cooperation_configuration.h"
#include "models/simt/cooperation_context.h"

namespace heddle {

/// What the SMX scheduler has for cooperative kernels: the link of their blocks' calls, and a
/// context for each such launch that runs. Which blocks are active is the context's affair; how
/// many are wanted or could start is said by room_demand, and those that start go to
/// forked_blocks.
///
/// cooperation_socket (cooperation_link): from the SMXs, in the order of sm_id. A call that an SMX
/// sends at edge t is answered at t + coop.latency at the earliest, and the SMX sees that
/// coop.latency edges later. Calls of one cycle are taken in the order of the SMXs.
class cooperation_side {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    /// The parts of the scheduler that it works on; all of it outlives the object.
    struct parts {
        clocked& owner;
        unsigned smx_count;
        unsigned blocks_per_smx;
        const cooperation_configuration& configuration;
        const room_demand& demand;
        forked_blocks& forked;
        const preemption& preempted;
    };
    explicit cooperation_side(const parts& with);

    /// May be left unbound: there are no cooperative launches then.
    tlm_utils::multi_passthrough_target_socket<cooperation_side, protocol::socket_width,
                                               protocol::cooperation_link, 0,
                                               sc_core::SC_ZERO_OR_MORE_BOUND>
        cooperation_socket;

    /// A launch that starts with `started` blocks.
    void begin(const launch_ptr& launch, std::uint32_t started);
    [[nodiscard]] bool knows(launch_id launch) const { return running_.count(launch) != 0; }
    /// A block of a launch that runs has gone to its SMX.
    void placed(launch_id launch) { --running_.at(launch).unplaced; }
    /// M of a launch that runs.
    [[nodiscard]] std::uint32_t groups(launch_id launch) const {
        return running_.at(launch).context.groups();
    }
    /// Blocks of the launch have been told to leave: those at its barrier ask again when they are
    /// back. Nothing happens if it is no cooperative one.
    void preempt(launch_id launch);
    /// A block of a launch that runs has ended, as the last one of the launch or not.
    void block_ended(const protocol::block_dispatch& block, bool last);
    /// A launch waits for room, in this cycle or one before, or has all its blocks on SMXs.
    void waits(launch_id launch) {
        if (counts_.groups() != 0) counts_.waits(launch, parts_.owner.domain().edge());
    }
    void all_placed(launch_id launch) { counts_.placed(launch, parts_.owner.domain().edge()); }
    /// Blocks that were told to end and have not done so.
    [[nodiscard]] std::uint32_t dying() const noexcept { return dying_; }

    /// One cycle: answers calls. True if there was one.
    bool cycle();
    [[nodiscard]] bool idle() const noexcept { return calls_under_way_ == 0; }
    /// Of each launch with blocks at its barrier a line, behind "; ".
    [[nodiscard]] std::string waiting_for() const;
    [[nodiscard]] cooperation_counts& counts() noexcept { return counts_; }
    [[nodiscard]] const cooperation_counts& counts() const noexcept { return counts_; }

private:
    using call_ptr = pool_ptr<protocol::cooperation_call>;

    /// A block that has left at the barrier.
    struct absent_block {
        bool released = false;  ///< the barrier has been released since
        bool ends = false;      ///< the block ends there
        std::uint32_t forked = 0;
    };
    struct state {
        launch_ptr launch;
        simt::cooperation_context context;
        std::uint32_t unplaced = 0;     ///< blocks that have not been on an SMX yet
        newcomer origin;                ///< block 0's at a resizing barrier
        std::vector<call_ptr> waiting;  ///< at the barrier
        std::map<std::uint32_t, absent_block> absent;
    };

    tlm::tlm_sync_enum take_call(int sm, protocol::cooperation_call& call,
                                 protocol::cooperation_phase& phase, sc_core::sc_time& time);
    void take(const call_ptr& call);
    void arrive(state& of, const call_ptr& call, const simt::cooperation_terms& terms);
    void come_back(state& of, const call_ptr& call);
    void wait(state& of, const call_ptr& call);
    void release(state& of);
    void fork(state& of, std::uint32_t first, std::uint32_t count, const newcomer& origin);
    void answer(const state& of, const call_ptr& call, protocol::cooperation_answer what);
    [[nodiscard]] simt::cooperation_terms terms(const state& of) const;
    void show_groups();

    const parts parts_;
    std::map<launch_id, state> running_;
    std::vector<inbox<call_ptr>> calls_;  ///< by SMX
    std::uint64_t calls_under_way_ = 0;   ///< in calls_
    std::uint32_t dying_ = 0;
    cooperation_counts counts_;
};

}  // namespace heddle
