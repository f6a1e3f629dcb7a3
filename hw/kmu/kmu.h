// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/waveform.h"
#include "hw/kmu/device_launches.h"
#include "hw/kmu/kmu_configuration.h"
#include "hw/kmu/kmu_waves.h"
#include "hw/kmu/queue_picker.h"
#include "hw/kmu/suspended_blocks.h"
#include "hw/kmu/work_queues.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link.h"
#include "models/base/histogram.h"
#include "models/base/statistics.h"
#include "models/device/device_runtime.h"
#include "models/device/launch_tree.h"

namespace heddle {

inline constexpr statistic_declaration kmu_statistics[] = {
    {"launches", "launch", "Launches accepted into the hardware work queues"},
    {"dispatches", "launch", "Launches sent to the kernel distributor"},
    {"completions", "launch", "Launches whose end was reported to the launcher"},
    {"queue_wait", "cycle", "Mean time of a launch in its hardware work queue"},
    {"distributor_wait", "cycle",
     "Cycles in which a dispatched launch waited for a kernel distributor entry"},
};

/// Message ids of the KMU's reports.
namespace kmu_report {
inline constexpr const char* illegal_launch = "heddle/kmu/illegal_launch";
inline constexpr const char* protocol = "heddle/kmu/protocol";
}  // namespace kmu_report

/// What a KMU that takes launches by kernels works with.
struct kmu_environment {
    device_runtime* runtime = nullptr;  ///< outlives the KMU; null: only the host launches
    /// From the refusal of a group to its place in the pool.
    std::uint32_t fallback_latency = 0;
    /// Cooperative launches that may be under way at a time.
    std::uint32_t most_cooperative = ~std::uint32_t{0};
    /// The dispatch of a launch by a kernel takes one cycle, and does not delay others.
    bool ideal = false;

    [[nodiscard]] bool launches() const noexcept { return runtime != nullptr; }
};

/// Kernel Management Unit. Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 2.2-2.4.
///
/// Launches wait in the hardware work queue that kernel_launch::queue names. Each cycle the KMU
/// inspects the queues round robin (queue_picker.h) and dispatches the head of the first one that
/// has one and whose last kernel has completed: one kernel of a queue is under way at a time.
///
/// Launches by kernels wait in a pool of their own, which is part of memory and never full: those
/// of a stream for each other, all others for their dispatch only. Work queues and pool are served
/// in turn. An aggregated group that has found no kernel to join comes to the pool as a kernel, and
/// waits for nobody.
///
/// A block that waits for its children leaves its SMX (kde_event::block_suspended). When they have
/// ended, the KMU sends it back to the SMX scheduler (kde_event::block_returns), in turn with the
/// two other sources. It needs no entry of the Kernel Distributor, and never waits behind a launch
/// that does.
///
/// Blocks of a cooperative launch that wait for others keep their entry, and the others may wait
/// for children that need one. So at most all entries but one are for cooperative launches.
///
/// A launch is completed, and its queue or stream goes on, when its blocks and all that its kernel
/// has launched have ended. The KMU hears of kernels by itself, of groups and of launches whose
/// blocks have been suspended from the SMX scheduler.
///
/// Sockets:
///  - launch_socket (launch_link, several initiators): a launch is accepted at the edge at which
///    the KMU sees it, or as soon as its queue has room. `completed` is passed on at the edge at
///    which the Kernel Distributor's has arrived;
///  - dispatch_socket (kernel_dispatch_link): to the Kernel Distributor;
///  - group_socket (kde_link): from the SMX scheduler, group_joined, group_refused, group_finished,
///    block_suspended. It exists with kmu_environment::runtime only;
///  - over_socket (kde_link): to the SMX scheduler: group_over, block_returns. Likewise.
/// Costs: a launch is inspected one cycle after its acceptance at the earliest; it arrives at the
/// Kernel Distributor, and a suspended block at the SMX scheduler, `dispatch_latency` cycles after
/// its inspection. Dispatches overlap: one may begin every `dispatch_interval` cycles. A launch
/// that finds the link held by the one before it (no free entry) waits. Illegal input: a launch for
/// a queue that does not exist is reported (kmu_report::illegal_launch) and dropped.
class kmu final : public sc_core::sc_module, public clocked {
public:
    protocol::multi_target_socket_of<kmu, protocol::launch_link> launch_socket;
    protocol::initiator_socket_of<kmu, protocol::kernel_dispatch_link> dispatch_socket;
    std::unique_ptr<protocol::target_socket_of<kmu, protocol::kde_link>> group_socket;
    std::unique_ptr<protocol::initiator_socket_of<kmu, protocol::kde_link>> over_socket;

    /// `waves` may be null and outlives the simulation, as `domain` does. The picker is the
    /// instance NAME.queue_picker.
    kmu(const sc_core::sc_module_name& name, clock_domain& domain,
        const kmu_configuration& configuration, const slot_maker<queue_picker_traits>& pickers,
        waveform* waves = nullptr, const kmu_environment& environment = {});

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// Launches by kernels that it has taken over.
    [[nodiscard]] std::uint64_t device_launches_taken() const noexcept {
        return counts_.by_kernels;
    }
    /// Blocks that wait for their children without an SMX.
    [[nodiscard]] const suspended_blocks& suspended() const noexcept { return suspended_; }
    /// No launch is queued, under way or waiting for acceptance.
    [[nodiscard]] bool empty() const;
    /// Declares kmu_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

protected:
    void end_of_elaboration() override;

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    using update_ptr = pool_ptr<protocol::kde_update>;
    static constexpr std::uint32_t no_port = ~std::uint32_t{0};
    /// Launches of the pool that may be on their way to the Kernel Distributor, and suspended
    /// blocks on their way to the SMX scheduler: dispatches overlap, and one a cycle may begin, so
    /// that a latency of some hundred cycles has as many under way.
    static constexpr std::size_t pool_window = 512;
    struct queued_launch {
        launch_ptr launch;
        std::uint32_t port = 0;     ///< index of the launch_socket binding it came through
        std::uint64_t arrived = 0;  ///< edge of its acceptance
    };
    /// A launch on its way to the Kernel Distributor.
    struct dispatch {
        launch_ptr launch;
        std::uint64_t due = 0;  ///< edge at which its request may be sent
    };
    /// A suspended block on its way to the SMX scheduler.
    struct return_trip {
        protocol::launched_block block;
        std::uint64_t due = 0;  ///< edge at which it is sent
    };

    /// Whose turn it is if both have something.
    struct turns {
        bool pool = true;              ///< of pool and queues
        bool suspended = true;         ///< of suspended blocks and the two others
        std::uint64_t inspection = 0;  ///< edge before which nothing is inspected
    };
    /// As kmu_statistics.
    struct counters {
        std::uint64_t launches = 0;
        std::uint64_t dispatches = 0;
        std::uint64_t completions = 0;
        std::uint64_t distributor_wait = 0;
        histogram queue_wait = histogram::powers_of_two();
        std::uint64_t by_kernels = 0;  ///< launches by kernels that it has taken over
    };

    /// Most that comes or is under way at a time.
    struct capacity {
        std::size_t group_events, completions, dispatches, returns;
    };
    [[nodiscard]] static capacity capacity_of(unsigned queues, bool launches) noexcept;

    tlm::tlm_sync_enum take_launch(int port, protocol::kernel_launch& launch,
                                   protocol::launch_phase& phase, sc_core::sc_time& time);
    tlm::tlm_sync_enum take_answer(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                   sc_core::sc_time& time);
    tlm::tlm_sync_enum take_group(protocol::kde_update& update, protocol::kde_phase& phase,
                                  sc_core::sc_time& time);
    void take_groups();
    void complete_kernels();
    /// The blocks of a launch have ended.
    void end_blocks(launch_id launch);
    void complete(launch_id launch, const launch_tree::maker& by);
    void tell_parent(launch_id launch, bool group, const launch_tree::maker& by);
    void tell_scheduler(const update_ptr& update);
    void inspect();
    [[nodiscard]] queued_launch& inspect_queues();
    [[nodiscard]] queued_launch& inspect_pool();
    [[nodiscard]] bool pool_ready() const noexcept;
    [[nodiscard]] bool suspended_ready() const noexcept;
    bool inspect_suspended(bool others);
    [[nodiscard]] std::uint64_t queues_ready() const noexcept;
    [[nodiscard]] std::uint64_t dispatch_due(bool takes_time);
    void send_returns();
    void add_to_pool(queued_launch launch);
    void take_fallbacks();
    void send_dispatches();
    void accept_launches();
    void accept(std::uint32_t port, launch_ptr launch);
    [[gnu::cold]] void report(const protocol::kernel_launch& launch, const char* what) const;
    void show_waves();

    const kmu_configuration configuration_;
    work_queues<queued_launch> queues_;
    std::unique_ptr<queue_picker> picker_;
    std::vector<queued_launch> running_;       ///< per queue: what it waits for, null if nothing
    std::vector<inbox<launch_ptr>> requests_;  ///< per launch_socket binding
    const kmu_environment environment_;
    launch_tree tree_;
    device_launches<queued_launch> pool_;
    std::unordered_map<launch_id, queued_launch> under_way_;  ///< by kernels, dispatched
    std::unordered_map<launch_id, unsigned> host_queues_;     ///< of launches in running_
    /// Kernels whose `completed` has not come from the Kernel Distributor, and whether a block of
    /// them has been suspended: the SMX scheduler tells the end of their blocks then.
    std::unordered_map<launch_id, bool> in_entries_;
    std::deque<dispatch> fallbacks_;  ///< refused groups on their way to the pool
    suspended_blocks suspended_;
    pool<protocol::kde_update> updates_;
    turns next_;
    inbox<update_ptr> groups_;
    inbox<launch_ptr> completions_;
    inbox<bool> accepted_;     ///< credits from the Kernel Distributor
    ring<dispatch> pipeline_;  ///< launches being dispatched, oldest first
    ring<return_trip> returns_;
    std::uint32_t cooperative_ = 0;  ///< cooperative launches under way
    bool link_free_ = true;          ///< no request waits for acceptance by the Kernel Distributor

    std::uint64_t request_due_ = 0;  ///< edge at which the request under way was first possible
    counters counts_;

    kmu_waves waves_;
};

}  // namespace heddle
