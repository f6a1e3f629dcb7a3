// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/smx/blocks/movable_warps.h"
#include "hw/smx/issue/front_rest.h"
#include "hw/smx/l1/owner_set.h"
#include "hw/smx/lsu/queue/memory_client.h"
#include "hw/smx/pipeline/code_profile.h"
#include "hw/smx/pipeline/cycle_account.h"
#include "hw/smx/pipeline/issue_sizes.h"
#include "hw/smx/warp_scheduler/warp_view.h"
#include "models/program/image.h"
#include "models/program/kernel.h"

namespace heddle {

/// What a front counts; sums over SMXs make the GPU's figures.
struct front_counts {
    /// Sum over cycles of the warps with an instruction between issue and write-back.
    std::uint64_t in_flight_warp_cycles = 0;
    std::uint64_t fetches = 0;              ///< groups of instructions delivered from L1I
    std::uint64_t fetch_misses = 0;         ///< lines that were asked from memory
    std::uint64_t writeback_conflicts = 0;  ///< results that had to wait for a port
    std::uint64_t second_issues = 0;        ///< by smx.dual_issue
    issue_sizes::counts sizes{};            ///< turns that issued, by lanes
};

/// Home warp slots by what their threads do, for the waveform; a slot may be in several.
struct front_masks {
    protocol::warp_mask resident = 0;
    protocol::warp_mask ready = 0;
    protocol::warp_mask waits_for_memory = 0;
    protocol::warp_mask at_barrier = 0;
};

/// Steps (2) to (4) of an SMX's cycle: from the results that come back to the group of threads that
/// issues, and its outcome. There are two, chosen when an SMX is built: warp_front works on warp
/// slots, thread_front on a pool of threads. Nothing else in the SMX knows which one it has.
///
/// Calls in a cycle, in this order: begin(); step (1): the memory client's, finish_fences();
/// cycle(); step (6): start(), complete_barriers(); settle().
class issue_front {
public:
    issue_front() = default;
    issue_front(const issue_front&) = delete;
    issue_front& operator=(const issue_front&) = delete;
    virtual ~issue_front() = default;

    /// The links are bound from now on.
    virtual void connect() = 0;
    /// What the load-store unit tells.
    [[nodiscard]] virtual memory_client& client() noexcept = 0;
    /// `profile`, which outlives the front, is told what cycles and instructions cost. Call before
    /// the run starts.
    virtual void follow(code_profile& profile) = 0;
    /// Somebody sees the cycles pass: one that follows a change runs, and account() knows what a
    /// cycle of a scheduler counts as when it comes. Call before the run starts.
    virtual void watch_cycles() noexcept {}
    /// A new program, whose code is in no cache; issue_table has it. No block is resident.
    virtual void use_program(const program::kernel_code& code) = 0;
    /// A new warp has the home warp slot; its threads begin at `pc`. `code` is its kernel's.
    virtual void start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes,
                       const program::kernel_code& code) = 0;

    /// The PC of each warp's next instruction; 0 where there are no warp slots.
    [[nodiscard]] virtual of_each_warp<std::uint32_t> pcs() const noexcept { return {}; }

    virtual void begin(std::uint64_t edge) noexcept = 0;
    /// Fences whose threads may go on.
    virtual void finish_fences() = 0;
    /// Write-back, issue, fetch. True if the next cycle may differ from this one.
    virtual bool cycle() = 0;
    /// All threads of the blocks in these home warp slots have arrived at their barriers.
    virtual void complete_barriers(protocol::warp_mask homes) = 0;
    /// End of the cycle: accounts for it. True if the next cycle may differ from this one.
    [[nodiscard]] virtual bool settle() = 0;
    /// Of a front whose cycle() and settle() were false at `edge`.
    [[nodiscard]] virtual front_rest rest(std::uint64_t edge) const noexcept = 0;
    /// What takes warps out of their slots and back; null: blocks can't leave the SMX to wait.
    [[nodiscard]] virtual movable_warps* movable() noexcept { return nullptr; }
    /// Of the block's accesses.
    [[nodiscard]] virtual owner_set owners(unsigned block) const = 0;
    /// Nothing that belongs to the block is under way any more.
    [[nodiscard]] virtual bool drained(unsigned block) const = 0;

    [[nodiscard]] virtual const cycle_account& account() const noexcept = 0;
    [[nodiscard]] virtual front_counts counts(std::uint64_t edge) const = 0;
    [[nodiscard]] virtual front_masks masks() const = 0;
    /// For the wait-for report: lines on the threads that have not ended. Since the edge
    /// `spinning_since`, if there is one, nothing makes progress: a warp that has issued since then
    /// spins.
    [[nodiscard]] virtual std::vector<std::string> waiting(
        const std::optional<std::uint64_t>& spinning_since) const = 0;
    /// Likewise: threads that spin may keep only those waiting that wait already now.
    virtual void watch_waiting() {}
};

}  // namespace heddle
