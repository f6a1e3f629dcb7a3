// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/protocol/link.h"

/// warp_scheduler <-> pipeline: the hot link. One call per scheduler and core cycle, no heap, no
/// event; the payload is one object that the pipeline keeps for the whole run.
namespace heddle::protocol {

/// Threads that are to run at `pc`: part of a warp, a whole warp, or lanes gathered by DWF.
struct issue_group {
    std::uint32_t pc = 0;
    lane_mask lanes = 0;
    /// Thread index in the block of each lane; null = lane i is thread warp_in_block * lanes + i.
    const std::uint16_t* threads = nullptr;
};

/// Threads that have finished an instruction, with where they go on.
struct retired_group {
    warp_slot warp{};
    lane_mask lanes = 0;
    std::uint32_t pc = 0;                         ///< of the retired instruction
    std::uint32_t next_pc = 0;                    ///< if all lanes agree
    const std::uint32_t* lane_next_pc = nullptr;  ///< else one entry per lane
    bool exited = false;                          ///< the lanes have ended
};

/// A warp that begins: all its lanes at the entry stub.
struct started_warp {
    warp_slot warp{};
    block_slot block{};
    lane_mask lanes = 0;
    std::uint32_t pc = 0;
};

/// What the pipeline tells the scheduler, latched at the pipeline's last update. The arrays belong
/// to the pipeline and are valid during the call. Masks have one bit per warp slot of the SMX.
struct warp_status {
    warp_mask resident = 0;      ///< slots that hold a live warp
    warp_mask ready = 0;         ///< decoded instruction buffered, operands ready, no barrier
    warp_mask issuable = 0;      ///< ready, and the unit that it needs takes an instruction now
    warp_mask memory = 0;        ///< the instruction at the head of the buffer is a memory one
    warp_mask long_latency = 0;  ///< waits for an access that left for global memory
    warp_mask memory_done = 0;   ///< a load or store of the warp completed since the last call
    const started_warp* started = nullptr;
    unsigned started_count = 0;
    const retired_group* retired = nullptr;
    unsigned retired_count = 0;
};

/// What the scheduler answers: at most one warp per call. The groups belong to the scheduler and
/// are valid until its next call. `pdom` gives one group; `nrec`, `dwf` and `mimd` up to one a
/// lane.
struct issue {
    bool valid = false;
    warp_slot warp{};
    const issue_group* groups = nullptr;
    unsigned group_count = 0;
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
/// At most one call per instant. The SMX's process calls in a numbered order (docs of smx). The
/// decision depends on the argument and on what the scheduler latched, and issues only a warp that
/// is issuable and groups whose lanes are disjoint.
enum class warp_phase : std::uint8_t { select };

struct warp_link {
    using tlm_payload_type = warp_cycle;
    using tlm_phase_type = warp_phase;
};

}  // namespace heddle::protocol
