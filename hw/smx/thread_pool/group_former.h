// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/base/part_configurations.h"
#include "hw/base/waveform.h"
#include "hw/protocol/thread_turn.h"
#include "hw/smx/smx_configuration.h"
#include "hw/smx/thread_pool/issue_filter.h"
#include "models/base/statistics.h"

namespace heddle {

/// What a thread pool is made for.
struct thread_pool_setting {
    const smx_configuration& smx;           ///< used during construction only
    const part_configurations& formations;  ///< so
    unsigned warp_size;                     ///< lanes of a group, in smx.issue_interval clocks
    unsigned threads;  ///< of the SMX: numbers are below it; a multiple of warp_size
};

/// What a former is made for.
struct group_former_setting : thread_pool_setting {
    const issue_needs& needs;  ///< of the program; outlives the former
};

/// Counts of what a former holds now.
struct former_occupancy {
    unsigned groups = 0;    ///< warps in the pool: groups, however full, that have been formed
    unsigned heap = 0;      ///< entries of a heap over PCs, if there is one
    unsigned arriving = 0;  ///< threads that have arrived and belong to no group yet
    unsigned overflow = 0;  ///< threads in an overflow list, which are not counted above
};

/// Forms groups of threads that issue together, and picks the one that does: the part of a
/// thread_pool that differs between formations. Each is a file (or folder) and a place in the list
/// of formations.h; beside the calls below it has `name`, the value of `smx.formation`, and
/// `description`. The pool is its only user and makes no other call than these, in this order in
/// each turn:
///
///   arrive()...  the threads that have come back since the last turn, in the order of their coming
///   pass(n)      the pipeline clocks since the last turn
///   pick(...)    at most one group
///
/// In a cycle in which several groups may issue, only the first turn has clocks and arrivals; the
/// others pick again after pass(0).
///
/// A turn comes every `issue_interval` clocks, or later when the SMX had nothing to do: n is then
/// larger, and no thread arrived in between. The first turn has n = issue_interval.
///
/// Whom it holds: a thread is with the former from its arrive() until a pick() gives it out.
/// Threads arrive when their block starts, when their instruction is over (not a clock earlier:
/// under barrel issue a thread has one instruction in flight), when their barrier, fence or lock
/// join lets them go on, and, if loads return individually, when the thread's own data is there. A
/// group that branched arrives in one call for each next PC; all calls of one group follow each
/// other, in the order of simt::transfer (a fall-through before the taken side).
///
/// Clocks: arrive() only hands threads over, whatever their number, and takes no time. In pass()
/// the former does what its hardware does in that many clocks: two next PCs a turn reach the warp
/// update registers, two look-ups and one swap a clock and side, ... What arrived in this turn may
/// use the clocks of this turn (those between its result and the issue), so that threads without
/// contention issue in the turn in which they arrive, as under barrel pdom. Arrivals that find the
/// registers taken wait in front of them, first in, first out; they are never refused.
///
/// No call allocates once the former has grown to its largest load. The cost of a call may not grow
/// with the clocks: after a sleep pass() stops when nothing is left to do.
class group_former {
public:
    group_former() = default;
    group_former(const group_former&) = delete;
    group_former& operator=(const group_former&) = delete;
    virtual ~group_former() = default;

    static constexpr bool on_pool = true;
    // A former hides what is different (smx_capabilities.h):
    static constexpr bool lane_units = false;
    static bool individual_return(const part_configurations&) noexcept { return false; }
    static bool shared_pool(const part_configurations&) noexcept { return false; }

    /// A new program; no thread is with the former then. A PC's post-dominator is asked as
    /// `flags[position(pc)] & program::reconvergence_point`: some branch of a program reconverges
    /// at `pc`. All kernels of a program have the same PCs and flags. The argument stays valid
    /// until the next call.
    virtual void use_program(const protocol::thread_program& programs) = 0;

    virtual void arrive(const protocol::thread_arrival& threads) = 0;
    virtual void pass(std::uint64_t clocks) = 0;
    /// Writes the group that issues, which then is no longer with the former: `count` = 1 part (for
    /// mimd more), whose threads are in `threads` by pipeline lane, at most one a lane. All threads
    /// of a part are at its PC and belong to its block. Only groups that filter.accepts() may
    /// issue. A former that has chosen a group which is not accepted either passes it over or
    /// keeps the choice: `unit_busy`, with the PC in parts[0].pc.
    virtual void pick(const issue_filter& filter, protocol::thread_issue& issue) = 0;
    /// Clocks from the last pass() until a pick() may have another outcome without an arrival and
    /// with the same filter (an overflow latency ends, a heap is in order, patience is over);
    /// thread_turn::never if none. At least 1.
    [[nodiscard]] virtual std::uint64_t next_change() const = 0;

    [[nodiscard]] virtual former_occupancy occupancy() const = 0;
    /// Declares the former's own state under `scope` ("gpu.smx_3.thread_pool"); publish() pushes
    /// it, once a turn, after pick(). Both only in runs with a waveform.
    virtual void trace(waveform&, const std::string& /*scope*/) {}
    virtual void publish() {}
    /// Declares and sets what only this former counts, under `scope` ("smx.3.thread_pool").
    virtual void collect(statistics&, const std::string& /*scope*/) const {}
};

/// The former of setting.smx.formation, which uses a thread pool.
[[nodiscard]] std::unique_ptr<group_former> make_group_former(const group_former_setting& setting);

}  // namespace heddle
