// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string_view>
#include <systemc>

#include "hw/base/pool.h"
#include "hw/protocol/link_rules.h"
#include "models/base/dim3.h"
#include "models/device/launch_limits.h"

namespace heddle {
struct held_program;
struct launch_times;
struct prepared_launch;
}  // namespace heddle

/// Launch links: host -> kmu, smx -> kmu (`launch_link`), kmu -> kernel_distributor
/// (`kernel_dispatch_link`). Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 2.2-2.4.
namespace heddle::protocol {

/// Why a launch ended. `pending` until the completed phase.
enum class launch_outcome : std::uint8_t { pending, completed };

/// One launch on its way from who makes it to the SMXs. A kernel goes to a Kernel Distributor Entry
/// (KDE) of its own; an aggregated group joins the entry of a kernel that runs.
/// The same payload object travels over all links and stays alive until the grid has finished. It
/// says what the launch is. What becomes of it each block keeps for itself, by its id.
struct kernel_launch : pooled<kernel_launch> {
    launch_id launch{};
    launch_id parent{};  ///< the launch whose kernel made it; none: the host
    launch_outcome outcome = launch_outcome::pending;  ///< set by who sends `completed`

    const held_program* program = nullptr;    ///< valid while the launch runs
    const program::kernel* kernel = nullptr;  ///< likewise
    std::uint32_t kernel_number = 0;          ///< position in program_table::kernel_labels()
    std::string_view kernel_name;             ///< of that table, which outlives the run
    std::uint32_t entry_pc = 0;
    dim3 grid;                            ///< thread blocks
    dim3 block;                           ///< threads
    std::uint32_t parameter_address = 0;  ///< parameter buffer in the runtime reserve
    std::uint32_t parameter_bytes = 0;
    block_resources per_block;               ///< what a block is charged on its SMX
    std::uint32_t dynamic_shared_bytes = 0;  ///< the dynamic part of its shared memory, at the end

    hwq_id queue{};  ///< hardware work queue, of a launch by the host
    bool cooperative = false;
    std::uint32_t priority = 0;  ///< the highest goes first
    dim3 offset{0, 0, 0};        ///< index of the first thread
    std::uint32_t dimensions = 1;

    sc_core::sc_time launched_at;  ///< when the launch call executed: waiting time starts here

    launch_times* times = nullptr;  ///< of a launch by the host: its first dispatch is noted there

    // Of a launch by a kernel. Its `launched_at` is the issue of its first call.
    bool group = false;               ///< an aggregated group
    std::uint32_t parent_block = 0;   ///< linear, in the parent's grid
    std::uint32_t device_stream = 0;  ///< of a kernel; 0: the stream of the parent block
    bool has_stream = false;          ///< false: it waits for no other launch
    sc_core::sc_time commanded_at;    ///< when its command left the SMX: the calls are over

    /// Takes over what the launch is. Way and times stay as they are.
    void carry(const prepared_launch& what);
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

template <>
struct link_rules<launch_link> : usual_rules<kernel_launch> {
    static const rule_table& table();
    static std::string request_error(const kernel_launch& p);
    static std::string response_error(const kernel_launch& p);
    static fixed_attributes fixed(const kernel_launch& p);
    static void describe(const kernel_launch& p, attribute_list& out);
    static void detail(const kernel_launch& p, bool answered, attribute_list& out);
    static std::string title(const kernel_launch& p) { return std::string(p.kernel_name); }
    static std::uint64_t flow_in(const kernel_launch& p);
    static std::uint64_t flow_out(const kernel_launch& p) { return launch_flow(p.launch); }
};

/// The same payload and phases; only the flow differs: it comes from the launch link.
template <>
struct link_rules<kernel_dispatch_link> : link_rules<launch_link> {
    static const rule_table& table();
    static std::uint64_t flow_in(const kernel_launch& p) { return launch_flow(p.launch); }
    static std::uint64_t flow_out(const kernel_launch&) { return 0; }
};

}  // namespace heddle::protocol
