// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/waveform.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/link.h"
#include "hw/smx_scheduler/chain/entry_updates.h"
#include "hw/smx_scheduler/chain/launch_order.h"
#include "hw/smx_scheduler/cooperation/cooperation_side.h"
#include "hw/smx_scheduler/cooperation/forked_blocks.h"
#include "hw/smx_scheduler/cooperation/room_demand.h"
#include "hw/smx_scheduler/distribution/block_distribution.h"
#include "hw/smx_scheduler/distribution/fresh_blocks.h"
#include "hw/smx_scheduler/distribution/smx_scheduler_waves.h"
#include "hw/smx_scheduler/groups/group_side.h"
#include "hw/smx_scheduler/placement/block_room.h"
#include "hw/smx_scheduler/placement/distribution_counts.h"
#include "hw/smx_scheduler/placement/preemption.h"
#include "hw/smx_scheduler/placement/returning_blocks.h"
#include "hw/smx_scheduler/placement/smx_ports.h"
#include "hw/smx_scheduler/smx_scheduler_configuration.h"
#include "hw/smx_scheduler/smx_scheduler_report.h"
#include "models/base/machine_configuration.h"
#include "models/base/statistics.h"
#include "models/device/device_runtime.h"

namespace heddle {

/// What an SMX scheduler that takes launches by kernels works with.
struct smx_scheduler_environment {
    device_runtime* runtime = nullptr;  ///< outlives the scheduler; null: only the host launches
    group_table_configuration groups;

    [[nodiscard]] bool launches() const noexcept { return runtime != nullptr; }
};

/// What makes the exchangeable parts of an SMX scheduler.
struct smx_scheduler_slots {
    slot_maker<kde_chain_traits> chain;
    slot_maker<group_allocator_traits> group_allocator;
};

/// SMX scheduler: distributes the thread blocks of the running kernels to the SMXs. Wang et al.,
/// "Dynamic Thread Block Launch", ISCA 2015, 2.3-2.4.
///
/// The chain (kde_chain.h) marks the Kernel Distributor Entries (KDE) that have blocks to
/// distribute and keeps their order of arrival. SSCR = {KDEI, NextBL} names the launch being
/// distributed and its next block, in linear order. Each cycle up to `blocks_per_cycle` blocks go
/// to the next SMXs in turn that have room: a block slot, threads (whole warps), registers
/// (granules), shared memory. Blocks of different kernels share an SMX. The next kernel follows
/// when the current one has no blocks left; a block that fits nowhere holds up those behind it.
///
/// Blocks come from three sources (block_source.h): those that cooperative launches have forked,
/// those that come back, and fresh ones of the launch in SSCR. What a block needs: block_room.h.
///
/// With coop.preempt (preemption.h) a launch that has no room has all blocks of one of lower
/// priority leave: kde_event preempt goes to the SMXs that have any, and these save them. The
/// blocks stay in their entry, and come back when no launch of higher priority is left. A launch
/// that is being distributed is interrupted for one of higher priority.
///
/// A block that is done as suspended leaves its SMX and its entry, and keeps its regions; the KMU
/// hears of it, and sends it back (kde_event::block_returns). Its state in memory has what an entry
/// has, so it comes back without one. Blocks that come back go before all launches of their
/// priority and below.
///
/// Aggregated groups (aggregation_unit.h, group_chain.h) join the entries of kernels that run, and
/// are distributed behind their blocks and the groups before them. Records in memory are fetched
/// ahead for the entry at the head; a group whose record has not come holds up those behind it. The
/// scheduler decides when an entry that groups have joined is over.
///
/// A cooperative launch (cooperation_side.h) starts with the blocks that fit, and then holds nobody
/// up. Blocks that it forks later go before all others. When a launch or a block that comes back
/// has no room, cooperative ones are asked for as many blocks as it lacks. Room for cooperative
/// blocks that are suspended is neither for forked blocks nor for further cooperative launches, but
/// for the first block of one.
///
/// Sockets:
///  - kernel_ready_socket (kde_link): from the Kernel Distributor;
///  - block_update_socket (kde_link): to the Kernel Distributor: block_started, blocks_exhausted,
///    block_finished, in this order for one block;
///  - those of smxs() (smx_ports.h): to the SMXs;
///  - those of groups() (group_side.h) and cooperation() (cooperation_side.h).
/// Costs: a kernel_ready that is seen at edge t has its first block on the way at t, seen by the
/// SMX at t + 1. Room that a `done` seen at t gives back is used at t. One `done` of each SMX is
/// taken a cycle. An SMX gets its next block when `started` of the last one has come.
/// Illegal input: a kernel whose block fits no empty SMX (the launcher has to refuse it):
/// illegal_kernel; phases for blocks that are not there: protocol (smx_scheduler_report).
class smx_scheduler final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<smx_scheduler, protocol::kde_link> kernel_ready_socket;
    protocol::initiator_socket_of<smx_scheduler, protocol::kde_link> block_update_socket;

    /// `kde_entries` is the Kernel Distributor's size. `slots` is used during construction only.
    /// `waves` may be null and outlives the simulation, as `domain` does.
    smx_scheduler(const sc_core::sc_module_name& name, clock_domain& domain,
                  const smx_scheduler_configuration& configuration,
                  const machine_configuration& machine, unsigned kde_entries,
                  const smx_scheduler_slots& slots, waveform* waves = nullptr,
                  const smx_scheduler_environment& environment = {});

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// No kernel waits and no block is out.
    [[nodiscard]] bool empty() const noexcept;
    /// Blocks that have ended, of all kernels.
    [[nodiscard]] std::uint64_t finished_blocks() const noexcept {
        return counts_.finished_blocks();
    }
    /// Sum over the core cycles before edge `now` of the blocks that are on SMXs: sent and not
    /// known to have finished.
    [[nodiscard]] std::uint64_t block_cycles(std::uint64_t now) const noexcept {
        return counts_.block_cycles(now);
    }
    /// Launches whose first block has started.
    [[nodiscard]] std::uint64_t started_launches() const noexcept {
        return counts_.started_launches();
    }
    [[nodiscard]] smx_ports& smxs() noexcept { return smxs_; }
    /// What there is for cooperative kernels.
    [[nodiscard]] cooperation_side& cooperation() noexcept { return cooperation_; }
    [[nodiscard]] const cooperation_side& cooperation() const noexcept { return cooperation_; }
    /// What there is for launches by kernels; null where only the host launches.
    [[nodiscard]] group_side* groups() noexcept { return groups_; }
    [[nodiscard]] const group_side* groups() const noexcept { return groups_; }
    /// Declares smx_scheduler_statistics under `scope`, launch_statistics under "launch", and sets
    /// them.
    void collect(statistics& out, const std::string& scope) const;

protected:
    void end_of_elaboration() override;

private:
    using block_ptr = pool_ptr<protocol::block_dispatch>;
    using update_ptr = pool_ptr<protocol::kde_update>;

    [[nodiscard]] std::unique_ptr<launching_kernels> make_launching(
        const smx_scheduler_environment& environment, const smx_scheduler_slots& slots);
    tlm::tlm_sync_enum take_ready(protocol::kde_update& update, protocol::kde_phase& phase,
                                  sc_core::sc_time& time);
    void take_kernel(const protocol::kde_update& update);
    void take_start(sm_id sm, const protocol::block_dispatch& block, std::uint64_t edge);
    void take_done(sm_id sm, const protocol::block_dispatch& block);
    void end_block(const protocol::block_dispatch& block);
    void leave_entry(const protocol::block_dispatch& block);

    const machine_configuration machine_;
    smx_ports smxs_;
    launch_progress progress_;
    launch_order order_;
    entry_updates entries_;
    block_room room_;
    preemption preemption_;
    returning_blocks returning_;
    forked_blocks forked_;
    distribution_counts counts_;
    const room_demand demand_;
    cooperation_side cooperation_;
    inbox<update_ptr> ready_;
    smx_scheduler_waves waves_;
    const std::unique_ptr<launching_kernels> launching_;
    group_side* const groups_;  ///< of launching_, for each cycle; null: only the host launches
    fresh_blocks fresh_;
    block_distribution distribution_;
    bool cooperated_ = false;  ///< calls have been answered in this cycle
    bool aggregated_ = false;  ///< the group side has done something in this cycle
};

}  // namespace heddle
