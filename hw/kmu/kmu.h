// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/waveform.h"
#include "hw/kmu/kmu_configuration.h"
#include "hw/kmu/work_queues.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link.h"
#include "models/base/histogram.h"
#include "models/base/statistics.h"

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

/// Kernel Management Unit. Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 2.2-2.4.
///
/// Launches wait in the hardware work queue that kernel_launch::queue names. Each cycle the KMU
/// inspects the queues round robin and dispatches the head of the first one that has one and whose
/// last kernel has completed: one kernel of a queue is under way at a time.
///
/// Sockets:
///  - launch_socket (launch_link, several initiators): a launch is accepted at the edge at which
///    the KMU sees it, or as soon as its queue has room. `completed` is passed on at the edge at
///    which the Kernel Distributor's has arrived;
///  - dispatch_socket (kernel_dispatch_link): to the Kernel Distributor.
/// Costs: a launch is inspected one cycle after its acceptance at the earliest; it arrives at the
/// Kernel Distributor `dispatch_latency` cycles after its inspection. Dispatches overlap: one a
/// cycle may begin. One that finds the link held by the one before it (no free entry) waits.
/// Illegal input: a launch for a queue that does not exist is reported (kmu_report::illegal_launch)
/// and dropped.
class kmu final : public sc_core::sc_module, public clocked {
public:
    protocol::multi_target_socket_of<kmu, protocol::launch_link> launch_socket;
    protocol::initiator_socket_of<kmu, protocol::kernel_dispatch_link> dispatch_socket;

    /// `waves` may be null and outlives the simulation, as `domain` does.
    kmu(const sc_core::sc_module_name& name, clock_domain& domain,
        const kmu_configuration& configuration, waveform* waves = nullptr);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// No launch is queued, under way or waiting for acceptance.
    [[nodiscard]] bool empty() const;
    /// Declares kmu_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

protected:
    void end_of_elaboration() override;

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
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
    struct queue_waves {
        wave_integer occupancy, head, running;
        wave_text kernel;
    };

    tlm::tlm_sync_enum take_launch(int port, protocol::kernel_launch& launch,
                                   protocol::launch_phase& phase, sc_core::sc_time& time);
    tlm::tlm_sync_enum take_answer(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                   sc_core::sc_time& time);
    void complete_kernels();
    void inspect_queues();
    void send_dispatches();
    void accept_launches();
    void accept(std::uint32_t port, launch_ptr launch);
    void declare_waves(waveform& waves);
    void show_waves();

    const kmu_configuration configuration_;
    work_queues<queued_launch> queues_;
    std::vector<queued_launch> running_;       ///< per queue: what it waits for, null if nothing
    std::vector<inbox<launch_ptr>> requests_;  ///< per launch_socket binding
    inbox<launch_ptr> completions_;
    inbox<bool> accepted_;     ///< credits from the Kernel Distributor
    ring<dispatch> pipeline_;  ///< launches being dispatched, oldest first
    bool link_free_ = true;    ///< no request waits for acceptance by the Kernel Distributor

    std::uint64_t launches_ = 0;
    std::uint64_t dispatches_ = 0;
    std::uint64_t completed_ = 0;
    std::uint64_t distributor_wait_ = 0;
    std::uint64_t request_due_ = 0;  ///< edge at which the request under way was first possible
    histogram queue_wait_ = histogram::powers_of_two();

    std::vector<queue_waves> waves_;
    std::uint64_t changed_queues_ = 0;  ///< one bit per queue: to be shown at the next update
};

}  // namespace heddle
