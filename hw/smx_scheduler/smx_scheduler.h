// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/waveform.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/link.h"
#include "hw/smx_scheduler/fcfs_controller.h"
#include "hw/smx_scheduler/region_allocator.h"
#include "hw/smx_scheduler/smx_accounts.h"
#include "hw/smx_scheduler/smx_scheduler_configuration.h"
#include "models/base/histogram.h"
#include "models/base/level_meter.h"
#include "models/base/machine_configuration.h"
#include "models/base/statistics.h"

namespace heddle {

inline constexpr statistic_declaration smx_scheduler_statistics[] = {
    {"blocks", "block", "Thread blocks distributed to SMXs"},
    {"first_dispatch", "cycle", "Core cycle, counted from the start, that sends the first block"},
    {"last_dispatch", "cycle", "Core cycle, counted from the start, that sends the last block"},
    {"blocks_finished", "block", "Thread blocks that have finished"},
    {"stall_blocks", "cycle", "Cycles without a block distributed: no free block slot"},
    {"stall_threads", "cycle", "Cycles without a block distributed: not enough threads"},
    {"stall_registers", "cycle", "Cycles without a block distributed: not enough registers"},
    {"stall_shared", "cycle", "Cycles without a block distributed: not enough shared memory"},
    {"stall_private", "cycle",
     "Cycles without a block distributed: no contiguous private memory for its warps"},
    {"stall_handshake", "cycle",
     "Cycles without a block distributed: no SMX with room has started its last block"},
};

inline constexpr statistic_declaration launch_statistics[] = {
    {"count", "launch", "Launches whose first block has started"},
    {"waiting_time", "cycle",
     "From the launch to the first cycle in which a warp of it can issue, mean"},
};

/// Message ids of the SMX scheduler's reports.
namespace smx_scheduler_report {
inline constexpr const char* protocol = "heddle/smx_scheduler/protocol";
inline constexpr const char* illegal_kernel = "heddle/smx_scheduler/illegal_kernel";
}  // namespace smx_scheduler_report

/// SMX scheduler: distributes the thread blocks of the running kernels to the SMXs. Wang et al.,
/// "Dynamic Thread Block Launch", ISCA 2015, 2.3-2.4.
///
/// The FCFS controller marks the Kernel Distributor Entries (KDE) that have blocks to distribute
/// and keeps their order of arrival. SSCR = {KDEI, NextBL} names the kernel being distributed and
/// its next block, in linear order. Each cycle up to `blocks_per_cycle` blocks go to the next SMXs
/// in turn that have room: a block slot, threads (whole warps), registers (granules), shared
/// memory. Blocks of different kernels share an SMX. The next kernel follows when the current one
/// has no blocks left; a block that fits nowhere holds up those behind it.
///
/// Private memory is one region a warp; a block gets the first contiguous regions that fit,
/// block_dispatch::context is the index of the first one.
///
/// Sockets:
///  - kernel_ready_socket (kde_link): from the Kernel Distributor;
///  - block_update_socket (kde_link): to the Kernel Distributor: block_started, blocks_exhausted,
///    block_finished, in this order for one block;
///  - block_socket (block_link): one binding an SMX, in the order of sm_id.
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

    /// `kde_entries` is the Kernel Distributor's size. `waves` may be null and outlives the
    /// simulation, as `domain` does.
    smx_scheduler(const sc_core::sc_module_name& name, clock_domain& domain,
                  const smx_scheduler_configuration& configuration,
                  const machine_configuration& machine, unsigned kde_entries,
                  waveform* waves = nullptr);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// No kernel waits and no block is out.
    [[nodiscard]] bool empty() const noexcept;
    /// Blocks that have ended, of all kernels.
    [[nodiscard]] std::uint64_t finished_blocks() const noexcept { return finished_; }
    /// Regions of private memory that it hands out: one for each warp that the SMXs can hold.
    [[nodiscard]] std::uint32_t private_regions() const noexcept { return regions_.size(); }
    /// Sum over the core cycles before edge `now` of the blocks that are on SMXs: sent and not
    /// known to have finished.
    [[nodiscard]] std::uint64_t block_cycles(std::uint64_t now) const noexcept {
        return running_blocks_.sum(now);
    }
    /// Launches whose first block has started.
    [[nodiscard]] std::uint64_t started_launches() const noexcept {
        return waiting_time_.samples();
    }
    /// Declares smx_scheduler_statistics under `scope`, launch_statistics under "launch", and sets
    /// them.
    void collect(statistics& out, const std::string& scope) const;

protected:
    void end_of_elaboration() override;

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    using block_ptr = pool_ptr<protocol::block_dispatch>;
    using update_ptr = pool_ptr<protocol::kde_update>;

    /// What the scheduler knows of a KDE.
    struct kernel {
        launch_ptr launch;  ///< until its last block has been distributed
        protocol::launch_id id{};
        block_resources need;
        std::uint32_t warps = 0;             ///< of a block
        std::uint32_t blocks = 0;            ///< of the grid
        bool started = false;                ///< its first block runs
        std::vector<std::uint64_t> visited;  ///< one bit per SMX that has had a block of it
    };
    /// SMX Scheduler Control Register.
    struct control_register {
        bool valid = false;
        kde_index kde{};
        std::uint32_t next_block = 0;
        protocol::dimensions position{0, 0, 0};  ///< of next_block
    };
    /// `started`, with the edge at which the SMX sent it.
    struct start {
        block_ptr block;
        std::uint64_t edge = 0;
    };
    struct smx_link {
        inbox<start> starts;
        inbox<block_ptr> dones;
    };
    struct smx_waves {
        wave_integer free_blocks, free_threads, free_registers, free_shared;
    };

    tlm::tlm_sync_enum take_ready(protocol::kde_update& update, protocol::kde_phase& phase,
                                  sc_core::sc_time& time);
    tlm::tlm_sync_enum take_answer(int sm, protocol::block_dispatch& block,
                                   protocol::block_phase& phase, sc_core::sc_time& time);
    void count_stalls();
    void take_kernels();
    void take_kernel(const protocol::kde_update& update);
    void take_answers();
    void take_start(const protocol::block_dispatch& block, std::uint64_t edge);
    void take_done(sm_id sm, const block_ptr& block);
    void distribute_blocks();
    [[nodiscard]] bool select_kernel();
    [[nodiscard]] bool place_block();
    void dispatch_block(sm_id sm, std::uint32_t region);
    void advance();
    void tell(protocol::kde_event event, kde_index kde, const protocol::kernel_launch& launch,
              std::uint32_t block);
    void declare_waves(waveform& waves);
    void show_waves();

    const smx_scheduler_configuration configuration_;
    const machine_configuration machine_;
    fcfs_controller fcfs_;
    region_allocator regions_;
    smx_accounts accounts_;
    strong_vector<kde_index, kernel> kernels_;
    control_register sscr_;
    inbox<update_ptr> ready_;
    strong_vector<sm_id, smx_link> links_;
    std::vector<std::uint64_t> answered_;  ///< one bit per SMX whose inboxes may hold something
    pool<protocol::block_dispatch> blocks_;
    pool<protocol::kde_update> updates_;
    unsigned placed_ = 0;                    ///< blocks of this cycle
    block_limit stall_ = block_limit::none;  ///< why this cycle has placed none
    std::uint64_t counted_edges_ = 0;        ///< edges whose stalls have been counted

    std::uint64_t distributed_ = 0;
    std::uint64_t first_dispatch_ = 0;
    std::uint64_t last_dispatch_ = 0;
    std::uint64_t finished_ = 0;
    level_meter running_blocks_;
    std::array<std::uint64_t, block_limit_count> stall_cycles_{};
    histogram waiting_time_ = histogram::powers_of_two();

    bool waves_on_ = false;
    wave_bits marked_wave_, sscr_valid_wave_;
    wave_integer blocks_wave_, head_wave_, sscr_kde_wave_, sscr_block_wave_;
    strong_vector<sm_id, smx_waves> smx_waves_;
    std::vector<sm_id> changed_;  ///< to be shown at the next update; only if waves are on
};

}  // namespace heddle
