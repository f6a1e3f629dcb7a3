// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/pool.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/launched_block.h"
#include "hw/protocol/link_rules.h"

/// smx_scheduler <-> smx: distribution of thread blocks. Wang et al., ISCA 2015, 2.3.
namespace heddle::protocol {

/// Why a block left its SMX. `running` until the done phase. A suspended block waits for launches
/// that it has made, a preempted one made room for a launch of higher priority: both come back. A
/// killed one was of a cooperative launch, and may start anew.
enum class block_outcome : std::uint8_t { running, completed, suspended, preempted, killed };

[[nodiscard]] constexpr bool comes_back(block_outcome outcome) noexcept {
    return outcome == block_outcome::suspended || outcome == block_outcome::preempted;
}

/// One thread block on an SMX, from its distribution to its end (TBCR = {KDEI, AGEI, BLKID}).
struct block_dispatch : pooled<block_dispatch>, launched_block {
    sm_id sm{};
    block_slot slot{};           ///< which of the SMX's block slots
    bool invalidate_l1 = false;  ///< first block of the launch on this SMX
    std::uint32_t groups = 0;    ///< M of a cooperative launch; 0: another, or it comes back
    block_outcome outcome = block_outcome::running;
    /// That its warps executed on this SMX; set before the done phase.
    std::uint64_t warp_instructions = 0;

    void recycle() { *this = block_dispatch(); }
};

/// ```
///            fw dispatch                 bw started                 bw done
///   [idle] --------------> [dispatched] ------------> [running] -----------> [closed]
///   dispatch: TLM_ACCEPTED | TLM_UPDATED with started
///   started:  TLM_ACCEPTED
///   done:     TLM_COMPLETED; `outcome` is set before
/// ```
/// The SMX scheduler keeps the account of slots, threads, registers and shared memory, so an SMX
/// always has room for what is dispatched. `started` says that the first warp may issue (waiting
/// time ends) and is the credit for the next dispatch: one block at a time may be in [dispatched].
/// `done` is sent after the block's stores have been acknowledged. A block that is suspended or
/// preempted ends its stay on the SMX with `done`, and its return is a dispatch of its own.
enum class block_phase : std::uint8_t { dispatch, started, done };

struct block_link {
    using tlm_payload_type = block_dispatch;
    using tlm_phase_type = block_phase;
};

template <>
struct link_rules<block_link> : usual_rules<block_dispatch> {
    static const rule_table& table();
    static std::string request_error(const block_dispatch& p);
    static std::string response_error(const block_dispatch& p);
    static fixed_attributes fixed(const block_dispatch& p);
    static void describe(const block_dispatch& p, attribute_list& out);
    static void detail(const block_dispatch& p, bool answered, attribute_list& out);
    static std::string title(const block_dispatch& p);
    static std::string instant(const block_dispatch& p, block_phase phase) {
        const bool left = phase == block_phase::done && p.outcome == block_outcome::preempted;
        return left ? "preempted" : "";
    }
    static std::uint64_t flow_in(const block_dispatch& p) { return launch_flow(p.launch); }
    static std::uint64_t flow_out(const block_dispatch& p) { return block_flow(p.launch, p.block); }
};

}  // namespace heddle::protocol
