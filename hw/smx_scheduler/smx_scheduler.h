// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/waveform.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/link.h"
#include "hw/smx_scheduler/control_register.h"
#include "hw/smx_scheduler/cooperation_side.h"
#include "hw/smx_scheduler/distribution_counts.h"
#include "hw/smx_scheduler/group_side.h"
#include "hw/smx_scheduler/kde_chain.h"
#include "hw/smx_scheduler/preemption.h"
#include "hw/smx_scheduler/region_allocator.h"
#include "hw/smx_scheduler/resident_kernels.h"
#include "hw/smx_scheduler/returning_blocks.h"
#include "hw/smx_scheduler/room_reserve.h"
#include "hw/smx_scheduler/smx_accounts.h"
#include "hw/smx_scheduler/smx_scheduler_configuration.h"
#include "hw/smx_scheduler/smx_scheduler_waves.h"
#include "models/base/machine_configuration.h"
#include "models/base/statistics.h"
#include "models/device/device_runtime.h"

namespace heddle {

/// Message ids of the SMX scheduler's reports.
namespace smx_scheduler_report {
inline constexpr const char* protocol = "heddle/smx_scheduler/protocol";
inline constexpr const char* illegal_kernel = "heddle/smx_scheduler/illegal_kernel";
}  // namespace smx_scheduler_report

/// What an SMX scheduler that takes launches by kernels works with.
struct smx_scheduler_environment {
    device_runtime* runtime = nullptr;  ///< outlives the scheduler; null: only the host launches
    group_table_configuration groups;
    bool resizes = true;  ///< blocks can leave their SMX at a call, or when they are told to
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
/// Private memory is one region a warp; a block gets the first contiguous regions that fit,
/// block_dispatch::context is the index of the first one.
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
///  - block_socket (block_link): one binding an SMX, in the order of sm_id;
///  - preempt_socket (kde_link): to the SMXs, in the order of sm_id; bound with coop.preempt only;
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
    protocol::multi_initiator_socket_of<smx_scheduler, protocol::block_link> block_socket;
    tlm_utils::multi_passthrough_initiator_socket<smx_scheduler, protocol::socket_width,
                                                  protocol::kde_link, 0,
                                                  sc_core::SC_ZERO_OR_MORE_BOUND>
        preempt_socket;
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
    /// Regions of private memory that it hands out: at least one for each warp that the SMXs can
    /// hold.
    /// Sum over the core cycles before edge `now` of the blocks that are on SMXs: sent and not
    /// known to have finished.
    [[nodiscard]] std::uint64_t block_cycles(std::uint64_t now) const noexcept {
        return counts_.block_cycles(now);
    }
    /// Launches whose first block has started.
    [[nodiscard]] std::uint64_t started_launches() const noexcept {
        return counts_.started_launches();
    }
    /// What there is for cooperative kernels.
    [[nodiscard]] cooperation_side& cooperation() noexcept { return cooperation_; }
    [[nodiscard]] const cooperation_side& cooperation() const noexcept { return cooperation_; }
    /// What there is for launches by kernels; null where only the host launches.
    [[nodiscard]] group_side* groups() noexcept { return groups_.get(); }
    [[nodiscard]] const group_side* groups() const noexcept { return groups_.get(); }
    /// Declares smx_scheduler_statistics under `scope`, launch_statistics under "launch", and sets
    /// them.
    void collect(statistics& out, const std::string& scope) const;

protected:
    void end_of_elaboration() override;

private:
    using kernel_launch = protocol::kernel_launch;
    using launch_ptr = control_register::launch_ptr;
    using block_ptr = pool_ptr<protocol::block_dispatch>;
    using update_ptr = pool_ptr<protocol::kde_update>;

    /// `started`, with the edge at which the SMX sent it.
    struct start {
        block_ptr block;
        std::uint64_t edge = 0;
    };
    struct smx_link {
        inbox<start> starts;
        inbox<block_ptr> dones;
    };

    tlm::tlm_sync_enum take_ready(protocol::kde_update& update, protocol::kde_phase& phase,
                                  sc_core::sc_time& time);
    tlm::tlm_sync_enum take_answer(int sm, protocol::block_dispatch& block,
                                   protocol::block_phase& phase, sc_core::sc_time& time);
    void take_kernels();
    void take_kernel(const protocol::kde_update& update);
    void take_answers();
    void take_start(const protocol::block_dispatch& block, std::uint64_t edge);
    void take_done(sm_id sm, const block_ptr& block);
    void end_block(const protocol::block_dispatch& block);
    void distribute_blocks();
    [[nodiscard]] bool place_forked();
    void begin_cooperation();
    [[nodiscard]] std::uint32_t places(const kernel_launch& of, std::uint32_t most);
    [[nodiscard]] std::uint32_t wanted() const;
    [[nodiscard]] simt::cooperation_terms terms(const kernel_launch& of, std::uint32_t room);
    void fork(const launch_ptr& of, kde_index kde, std::uint32_t first, std::uint32_t count,
              const newcomer& origin);
    void take_return(const protocol::kde_update& update);
    // Preemption
    void make_room(std::uint32_t priority);
    void preempt(const launch_ptr& launch);
    void keep(const block_ptr& left);
    void has_no_room(const kernel_launch& of, block_limit limit);
    [[nodiscard]] std::uint32_t highest_to_distribute() const;
    [[nodiscard]] std::uint32_t lacking(const kernel_launch& of, std::uint32_t blocks) const;
    [[nodiscard]] bool any_returns() const;
    [[nodiscard]] bool place_returning();
    void load_launch(kde_index kde);
    [[nodiscard]] bool is_held_up() const;
    [[nodiscard]] bool gives_way() const;
    void interrupt();
    [[nodiscard]] bool select_launch();
    [[nodiscard]] bool place_block();
    [[nodiscard]] std::optional<std::uint32_t> find_region(std::uint32_t warps);
    [[nodiscard]] block_ptr next_block();
    void dispatch_block(sm_id sm, std::uint32_t region);
    void place(const block_ptr& block, sm_id sm, std::uint32_t region);
    void send(protocol::block_dispatch& block);
    [[nodiscard]] bool was_last(const protocol::block_dispatch& block, bool killed);
    void release_if_over(kde_index entry);
    void exhaust(const protocol::block_dispatch& last);
    void tell(protocol::kde_event event, kde_index kde, std::uint32_t block, bool of_group = false);

    const smx_scheduler_configuration configuration_;
    const machine_configuration machine_;
    const std::unique_ptr<kde_chain> chain_;
    region_allocator regions_;
    const std::uint32_t resident_regions_;  ///< a region for each warp that the SMXs can hold
    std::uint32_t suspended_regions_ = 0;   ///< of blocks without an SMX
    smx_accounts accounts_;
    resident_kernels kernels_;
    control_register sscr_;
    std::unique_ptr<group_side> groups_;  ///< null: only the host launches
    cooperation_side cooperation_;
    std::unique_ptr<preemption> preemption_;  ///< null: no block leaves for another launch
    returning_blocks returning_;
    room_reserve reserve_;                               ///< of suspended cooperative blocks
    std::map<kde_index, control_register> interrupted_;  ///< launches that are partly distributed
    std::deque<block_ptr> forked_;  ///< blocks that have a place, in the order of their forks
    bool cooperated_ = false;       ///< calls have been answered in this cycle
    bool aggregated_ = false;       ///< the group side has done something in this cycle
    inbox<update_ptr> ready_;
    strong_vector<sm_id, smx_link> links_;
    std::vector<std::uint64_t> answered_;  ///< one bit per SMX whose inboxes may hold something
    pool<protocol::block_dispatch> blocks_;
    pool<protocol::kde_update> updates_;
    unsigned placed_ = 0;  ///< blocks of this cycle
    distribution_counts counts_;
    smx_scheduler_waves waves_;
};

}  // namespace heddle
