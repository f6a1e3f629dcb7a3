// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/protocol/link_rules.h"

/// warp_scheduler <-> pipeline: the hot link. One call per scheduler and core cycle, no heap, no
/// event; the payload is one object that the pipeline keeps for the whole run. It carries the
/// selection only: which warp issues. Only the pipeline knows which threads make up the warp, and
/// where they are.
namespace heddle::protocol {

/// What the pipeline tells a scheduler, latched at the pipeline's last update. One bit per warp
/// slot of the SMX; every scheduler sees the masks of the whole SMX and picks among its own warps.
struct warp_status {
    warp_mask resident = 0;  ///< slots that hold a live warp
    warp_mask ready = 0;     ///< decoded instruction buffered, operands ready, no barrier
    warp_mask issuable = 0;  ///< ready, and the unit that it needs takes an instruction now
    /// Ready, and the instruction at the head of the buffer counts as a memory instruction for the
    /// policy.
    warp_mask memory = 0;
    warp_mask long_latency = 0;  ///< waits for an access that left for global memory
    warp_mask memory_done = 0;   ///< a load or store of the warp completed since the last call
    /// Started since the last call: resident, and not yet ready. Allocation order is the order of
    /// the calls, then that of the slots. A slot that was resident before holds a new warp now.
    warp_mask started = 0;
    /// Since the last call a load of the warp missed on a line that the warp had brought into L1D
    /// and that was evicted. Empty unless the scheduler's policy needs it.
    warp_mask lost_locality = 0;
    std::uint64_t cycle = 0;  ///< number of the core cycle
};

/// What the scheduler answers: at most one warp per call.
struct issue {
    bool valid = false;
    warp_slot warp{};
};

struct warp_cycle {
    sm_id sm{};
    unsigned scheduler = 0;
    warp_status status;  ///< in
    issue decision;      ///< out
};

/// ```
///            fw select
///   [idle] -------------> [closed]      select: TLM_COMPLETED, always
/// ```
/// At most one call per instant. The SMX calls the schedulers in the order of their numbers
/// (docs/smx.md). The decision depends on the argument and on what the scheduler latched, and
/// issues only a warp that is issuable. A scheduler may decline to issue although a warp is
/// issuable; it is called again in the next cycle.
///
/// A scheduler is called in each cycle in which one of its own warps is issuable, has started, has
/// ended, has completed a load or store or has lost locality; if its policy follows the whole SMX,
/// it is also called for such events of other schedulers' warps. Other calls may be left out,
/// because they change nothing.
enum class warp_phase : std::uint8_t { select };

struct warp_link {
    using tlm_payload_type = warp_cycle;
    using tlm_phase_type = warp_phase;
};

template <>
struct link_rules<warp_link> : usual_rules<warp_cycle> {
    static const rule_table& table();
    static std::string request_error(const warp_cycle& p);
    static std::string response_error(const warp_cycle& p);
    static fixed_attributes fixed(const warp_cycle& p);
    static void describe(const warp_cycle& p, attribute_list& out);
    static void detail(const warp_cycle& p, bool answered, attribute_list& out);

    static constexpr bool carries_accesses = true;
    /// One object for the whole run.
    static unsigned references(const warp_cycle&) { return 1; }
    /// A cycle without an issue is left out.
    static bool recorded(const warp_cycle& p) { return p.decision.valid; }
};

}  // namespace heddle::protocol
