// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/pool.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/launched_block.h"
#include "hw/protocol/link_rules.h"

/// kernel_distributor <-> smx_scheduler: changes of a Kernel Distributor Entry; smx_scheduler <->
/// KMU: what becomes of aggregated groups, whose parents end after them, and of suspended blocks;
/// smx_scheduler -> SMX: whose blocks have to leave. Wang et al., ISCA 2015, 2.3 (KDE, SSCR, TBCR).
namespace heddle::protocol {

enum class kde_event : std::uint8_t {
    kernel_ready,      ///< distributor -> scheduler: the entry holds a new kernel; append to FCFS
    block_started,     ///< scheduler -> distributor: a block went to an SMX (ExeBL + 1)
    block_finished,    ///< scheduler -> distributor: a block finished (ExeBL - 1)
    blocks_exhausted,  ///< scheduler -> distributor: the last block has been distributed
    hold,              ///< scheduler -> distributor: a group is to join; release() decides the end
    release,           ///< scheduler -> distributor: nothing is left of a held entry
    group_joined,      ///< scheduler -> KMU: an aggregated group has joined an entry
    group_refused,     ///< scheduler -> KMU: it has found none, and is a kernel from now on
    group_finished,    ///< scheduler -> KMU: the last block of a joined group has finished, or of
                       ///< a launch whose blocks have been suspended
    group_over,        ///< KMU -> scheduler: a group and all that it has caused have ended
    block_suspended,   ///< scheduler -> KMU: a block waits for its children, without an SMX
    block_returns,     ///< KMU -> scheduler: the children of a suspended block have ended
    preempt,           ///< scheduler -> SMX: all blocks of the launch that it has now leave
};

/// A notification. Each end owns an initiator and a target socket of this link.
struct kde_update : pooled<kde_update> {
    launch_id launch{};
    kde_index kde{};
    kde_event event = kde_event::kernel_ready;
    pool_ptr<kernel_launch> kernel;       ///< kernel_ready, group_joined, group_refused: what to
                                          ///< run; block_suspended, block_returns: the block's
                                          ///< launch
    launched_block suspended;             ///< block_suspended, block_returns: as it comes back
    bool of_group = false;                ///< block_started, block_finished: the block is a group's
                                          ///< or was forked
    std::uint32_t block = 0;              ///< block_started, block_finished: linear block index
    group_index next_group = null_group;  ///< NAGEI of the entry after the event
    group_index last_group = null_group;  ///< LAGEI, likewise

    void recycle() { *this = kde_update(); }
};

/// ```
///            fw update
///   [idle] -------------> [closed]      update: TLM_COMPLETED, always
/// ```
/// Never refused: between two edges there are at most as many updates as there are SMXs and KDEs,
/// and the receiver's inbox has that size.
enum class kde_phase : std::uint8_t { update };

struct kde_link {
    using tlm_payload_type = kde_update;
    using tlm_phase_type = kde_phase;
};

template <>
struct link_rules<kde_link> : usual_rules<kde_update> {
    static const rule_table& table();
    static std::string request_error(const kde_update& p);
    static std::string response_error(const kde_update& p);
    static fixed_attributes fixed(const kde_update& p);
    static void describe(const kde_update& p, attribute_list& out);
};

}  // namespace heddle::protocol
