// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/waveform.h"
#include "hw/protocol/aggregation.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/cooperation.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/memory_access.h"
#include "hw/smx/divergence/formation.h"
#include "hw/smx/smx_capabilities.h"
#include "hw/smx/smx_configuration.h"
#include "hw/smx/tm/bank_state.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/machine_configuration.h"
#include "models/base/run_status.h"
#include "models/base/statistics.h"
#include "models/device/allocation_table.h"

namespace heddle {

namespace protocol {
class instrumentation;
}  // namespace protocol
class device_runtime;
struct constant_cache_configuration;
struct l1_data_cache_configuration;
struct load_store_configuration;
struct shared_memory_configuration;
struct read_only_cache_configuration;
struct warp_scheduler_configuration;
class part_configurations;
class smx_core;

/// What makes the exchangeable parts of an SMX.
struct smx_slots {
    slot_maker<warp_selection_traits> warp_scheduler;
    slot_maker<formation_traits> formation;
    slot_maker<bank_state_traits> tm_bank;
};

/// Configurations of an SMX; they are used during construction only.
struct smx_configurations {
    const machine_configuration& machine;  ///< warp size and limits
    const smx_configuration& smx;
    const l1i_configuration& l1i;
    const load_store_configuration& lsu;
    const l1_data_cache_configuration& l1d;
    const constant_cache_configuration& constant_cache;
    const read_only_cache_configuration& read_only_cache;
    const shared_memory_configuration& shared;
    const warp_scheduler_configuration& scheduler;
    const part_configurations& formations;
};

/// What an SMX shares with the rest of the machine; all of it outlives the SMX.
struct smx_environment {
    const program_table& programs;
    const allocation_table& ranges;  ///< what a kernel may touch
    run_status& status;              ///< kernel faults and violated invariants
    const smx_slots& slots;          ///< referred to during construction only
    smx_capabilities can;
    waveform* waves = nullptr;  ///< may be null
    /// Puts checkers and recorders on the links inside; may be null.
    protocol::instrumentation* links = nullptr;
    bool load_latency = true;           ///< collect load_latency_statistics
    bool code_profile = false;          ///< collect what each instruction costs
    device_runtime* runtime = nullptr;  ///< of SMXs that launch or save; else may be null
};

/// A streaming multiprocessor: fetches, schedules and executes the warps of the thread blocks that
/// are dispatched to it.
///
/// Children: `warp_scheduler_0` ... (warp_link, one call per scheduler and cycle in which a warp
/// could issue) and `shared_memory` (shared_link). Everything else is one clocked part, smx_core.
/// Its cycle: (1) memory, (2) write-back, (3) issue, (4) fetch, (5) load-store unit, (6) blocks;
/// docs/smx.md describes the steps and the latencies.
/// Sockets: block_socket (block_link target, from the SMX scheduler), memory_socket (memory_link
/// initiator: L1 misses, stores, atomics, instruction fetch).
/// An SMX that launches (smx_capabilities) also has launch_socket (launch_link initiator, to the
/// KMU) and aggregation_socket (aggregation_link initiator, to the SMX scheduler), else they are
/// null. One that cooperates also has cooperation_socket (cooperation_link initiator, to the SMX
/// scheduler).
/// One that preempts also has preempt_socket (kde_link target, from the SMX scheduler): kde_event
/// preempt. All blocks of the launch that are here, or on their way, leave: their warps stop before
/// their next instruction, and when nothing of a block is under way its state goes to memory.
/// Illegal accesses and instructions of a kernel are reported to run_status as kernel faults, with
/// the messages of the functional simulator. A dispatch that does not fit is a violated invariant.
class smx : public sc_core::sc_module {
public:
    smx(const sc_core::sc_module_name& name, clock_domain& domain, sm_id id,
        const smx_configurations& configurations, const smx_environment& environment);
    ~smx() override;

    protocol::target_socket_of<smx, protocol::block_link> block_socket;
    protocol::initiator_socket_of<smx, protocol::memory_link> memory_socket;
    std::unique_ptr<protocol::initiator_socket_of<smx, protocol::launch_link>> launch_socket;
    std::unique_ptr<protocol::initiator_socket_of<smx, protocol::aggregation_link>>
        aggregation_socket;
    std::unique_ptr<protocol::initiator_socket_of<smx, protocol::cooperation_link>>
        cooperation_socket;
    std::unique_ptr<protocol::target_socket_of<smx, protocol::kde_link>> preempt_socket;

    /// Statistics of this SMX under `scope` ("smx.3"), and of its caches below it.
    /// `idle_cycles`: core cycles in which no launch was open; they do not count.
    void collect(statistics& into, const std::string& scope, std::uint64_t idle_cycles = 0) const;

    [[nodiscard]] smx_core& core() noexcept { return *core_; }
    [[nodiscard]] const smx_core& core() const noexcept { return *core_; }

private:
    struct children;

    tlm::tlm_sync_enum kernel_answer(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                     sc_core::sc_time& delay);
    tlm::tlm_sync_enum group_answer(protocol::aggregation& groups,
                                    protocol::aggregation_phase& phase, sc_core::sc_time& delay);

    tlm::tlm_sync_enum cooperation_answer(protocol::cooperation_call& call,
                                          protocol::cooperation_phase& phase,
                                          sc_core::sc_time& delay);

    tlm::tlm_sync_enum preempt(protocol::kde_update& update, protocol::kde_phase& phase,
                               sc_core::sc_time& delay);
    tlm::tlm_sync_enum dispatch(protocol::block_dispatch& payload, protocol::block_phase& phase,
                                sc_core::sc_time& delay);
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, protocol::memory_phase& phase,
                              sc_core::sc_time& delay);

    std::unique_ptr<children> children_;
    std::unique_ptr<smx_core> core_;
};

}  // namespace heddle
