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
#include "hw/kernel_distributor/kernel_distributor_configuration.h"
#include "hw/kernel_distributor/kernel_entries.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link.h"
#include "models/base/level_meter.h"
#include "models/base/statistics.h"

namespace heddle {

inline constexpr statistic_declaration kernel_distributor_statistics[] = {
    {"kernels", "kernel", "Kernels that got an entry"},
    {"completed", "kernel", "Kernels whose entry was released"},
    {"occupancy", "entry",
     "Mean number of entries in use, over the cycles with at least one in use"},
    {"occupancy_maximum", "entry", "Largest number of entries in use"},
    {"busy_cycles", "cycle", "Cycles with at least one entry in use"},
};

/// Message ids of the Kernel Distributor's reports.
namespace kernel_distributor_report {
inline constexpr const char* protocol = "heddle/kernel_distributor/protocol";
}  // namespace kernel_distributor_report

/// Kernel Distributor: the table of the running kernels. Wang et al., "Dynamic Thread Block
/// Launch", ISCA 2015, 2.2-2.4.
///
/// A launch is taken into a free entry (KDE); without one its acceptance is withheld. The SMX
/// scheduler is told by kernel_ready and reports the blocks that it starts and finishes. An entry
/// is released, and the launch completed, when its last block has been distributed and none is in
/// execution. The SMX scheduler holds an entry that aggregated groups join, and then says itself
/// when nothing is left of it.
///
/// Sockets:
///  - dispatch_socket (kernel_dispatch_link): from the KMU;
///  - kernel_ready_socket (kde_link): to the SMX scheduler;
///  - block_update_socket (kde_link): from the SMX scheduler.
/// Costs: one launch a cycle; a launch that is seen at edge t is in its entry at t and reaches the
/// SMX scheduler at t + 1; a block_finished seen at t that ends a kernel frees the entry for a
/// waiting launch at t, and `completed` reaches the KMU at t + 1.
/// Illegal input: updates for an entry that is not in use, counts below 0, a launch beyond the
/// credit: kernel_distributor_report::protocol.
class kernel_distributor final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<kernel_distributor, protocol::kernel_dispatch_link> dispatch_socket;
    protocol::initiator_socket_of<kernel_distributor, protocol::kde_link> kernel_ready_socket;
    protocol::target_socket_of<kernel_distributor, protocol::kde_link> block_update_socket;

    /// `smx_count` bounds the updates of a cycle: each SMX starts, exhausts and finishes at most
    /// one block, and each entry is held and released at most once. `waves` may be null and
    /// outlives the simulation, as `domain` does.
    kernel_distributor(const sc_core::sc_module_name& name, clock_domain& domain,
                       const kernel_distributor_configuration& configuration, unsigned smx_count,
                       waveform* waves = nullptr);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    [[nodiscard]] const kernel_entries& entries() const noexcept { return entries_; }
    /// Declares kernel_distributor_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    using update_ptr = pool_ptr<protocol::kde_update>;
    struct request {
        launch_ptr launch;
        bool accepted = false;  ///< in the call that brought it
    };
    struct entry_waves {
        wave_bits valid;
        wave_integer launch, executing, left, next_group, last_group;
        wave_bits entry_pc;
        wave_text kernel;
    };

    tlm::tlm_sync_enum take_request(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                    sc_core::sc_time& time);
    tlm::tlm_sync_enum take_update(protocol::kde_update& update, protocol::kde_phase& phase,
                                   sc_core::sc_time& time);
    void apply_updates();
    void apply(const protocol::kde_update& update);
    void release(kde_index entry);
    void take_launch();
    void declare_waves(waveform& waves);
    void show_waves();

    kernel_entries entries_;
    strong_vector<kde_index, launch_ptr> launches_;  ///< of the entries in use
    inbox<request> requests_;
    inbox<update_ptr> updates_;
    pool<protocol::kde_update> ready_pool_;
    /// Launches that may be accepted in their call: free entries at the last update, less the
    /// launches that have been promised one since. Kept by the calls, so that it is the same
    /// whether the update in between ran or was slept through.
    unsigned credits_;

    level_meter occupancy_;
    std::uint64_t taken_ = 0;
    std::uint64_t completed_ = 0;

    strong_vector<kde_index, entry_waves> waves_;
    std::vector<kde_index> changed_;  ///< to be shown at the next update; only if waves are on
};

}  // namespace heddle
