// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string_view>
#include <systemc>

#include "hw/base/pool.h"
#include "hw/protocol/link.h"

/// Launch links: host -> kmu, smx -> kmu (`launch_link`), kmu -> kernel_distributor
/// (`kernel_dispatch_link`). Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 2.2-2.4.
namespace heddle::protocol {

enum class launch_command : std::uint8_t {
    start_kernel,   ///< start a grid
    suspend_block,  ///< the block in `context` waits for its children and has left its SMX
    resume_block,   ///< kmu -> kernel_distributor: bring the block in `context` back
};

enum class launch_source : std::uint8_t { host, device };

/// Why a launch ended. `pending` until the completed phase.
enum class launch_outcome : std::uint8_t { pending, completed, rejected };

/// One kernel launch on its way from the host or an SMX to a Kernel Distributor Entry (KDE).
/// The same payload object travels over both links and stays alive until the grid has finished.
struct kernel_launch : pooled<kernel_launch> {
    launch_id launch{};
    launch_command command = launch_command::start_kernel;
    launch_source source = launch_source::host;
    launch_outcome outcome = launch_outcome::pending;

    std::uint32_t kernel_index = 0;  ///< position in the program image's kernel list
    std::string_view kernel_name;    ///< owned by the program image, which outlives the run
    std::uint32_t entry_pc = 0;
    dimensions grid;                      ///< thread blocks
    dimensions block;                     ///< threads
    std::uint32_t parameter_address = 0;  ///< parameter buffer in the runtime reserve
    std::uint32_t parameter_bytes = 0;
    std::uint32_t registers_per_thread = 0;  ///< rounded up to the configuration's granule
    std::uint32_t shared_bytes = 0;          ///< per block, static and dynamic
    std::uint32_t dynamic_shared_bytes = 0;  ///< the dynamic part of shared_bytes, at its end
    std::uint32_t private_bytes = 0;         ///< per thread
    std::uint32_t record_bytes = 0;          ///< footprint of the record while it is pending

    hwq_id queue{};  ///< hardware work queue; host launches only
    std::uint32_t stream = 0;
    launch_id parent{};  ///< device launches: who launched
    sm_id parent_sm{};
    warp_slot parent_warp{};
    context_id context{};  ///< suspend_block and resume_block: which block
    kde_index kde{};       ///< set by the Kernel Distributor when it takes the launch

    sc_core::sc_time launched_at;  ///< when the launch call executed: waiting time starts here

    void recycle() { *this = kernel_launch(); }
};

/// ```
///            fw request                 bw accepted                bw completed
///   [idle] -------------> [requested] --------------> [pending] --------------> [closed]
///   request:   TLM_ACCEPTED (no room yet) | TLM_UPDATED with accepted (taken in the same call)
///   accepted:  TLM_ACCEPTED
///   completed: TLM_COMPLETED; `outcome` is set before
/// ```
/// One launch at a time may be in [requested]: a full queue withholds accepted.
/// launch_link: completed = the grid and everything that it must wait for have finished.
/// kernel_dispatch_link: completed = all blocks have finished and the KDE is free again.
enum class launch_phase : std::uint8_t { request, accepted, completed };

struct launch_link {
    using tlm_payload_type = kernel_launch;
    using tlm_phase_type = launch_phase;
};

struct kernel_dispatch_link {
    using tlm_payload_type = kernel_launch;
    using tlm_phase_type = launch_phase;
};

}  // namespace heddle::protocol
