// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hw/smx_scheduler/placement/smx_accounts.h"
#include "models/base/histogram.h"
#include "models/base/level_meter.h"
#include "models/base/statistics.h"

namespace heddle {

inline constexpr statistic_declaration smx_scheduler_statistics[] = {
    {"blocks", "block", "Thread blocks distributed to SMXs"},
    {"first_dispatch", "cycle",
     "Core cycle, counted from the start of the run, in which the first block was distributed"},
    {"last_dispatch", "cycle",
     "Core cycle, counted from the start of the run, in which the last block was distributed"},
    {"blocks_finished", "block", "Thread blocks that have ended"},
    {"stall_blocks", "cycle",
     "Cycles without a block distributed: the SMX whose turn it was had no free block slot"},
    {"stall_threads", "cycle",
     "Cycles without a block distributed: the SMX whose turn it was had not enough free threads"},
    {"stall_registers", "cycle",
     "Cycles without a block distributed: the SMX whose turn it was had not enough free registers"},
    {"stall_shared", "cycle",
     "Cycles without a block distributed: the SMX whose turn it was had not enough free shared "
     "memory"},
    {"stall_private", "cycle",
     "Cycles without a block distributed: there was no contiguous private memory for the warps of "
     "the block"},
    {"stall_handshake", "cycle",
     "Cycles without a block distributed: no SMX with room had started the block that it got "
     "before"},
};

inline constexpr statistic_declaration launch_statistics[] = {
    {"count", "launch", "Launches whose first block has started"},
    {"waiting_time", "cycle",
     "From the launch to the first cycle in which a warp of it can issue, mean"},
};

/// What the SMX scheduler counts: blocks, launches, and why cycles pass without a block. Edges are
/// core cycles; those of later calls are not smaller.
class distribution_counts {
public:
    /// Evaluation begins: what kept the last one from placing a block has done so until now, also
    /// in the cycles slept through. From now on nothing does.
    void begin_cycle(std::uint64_t edge) noexcept;
    /// A block waits for this.
    void stalled(block_limit why) noexcept { stall_ = why; }
    [[nodiscard]] block_limit stall() const noexcept { return stall_; }

    /// Afterwards `resident` blocks are on SMXs.
    void dispatched(std::uint64_t edge, std::uint64_t resident) noexcept;
    void finished(std::uint64_t edge, std::uint64_t resident) noexcept;
    /// A block has left to wait for its children, or has come back.
    void moved(std::uint64_t edge, std::uint64_t resident) noexcept {
        running_.set(edge, resident);
    }
    /// The first block of a launch runs, so many cycles after the launch.
    void launch_started(std::uint64_t waited) { waiting_time_.add(waited); }

    [[nodiscard]] std::uint64_t dispatched_blocks() const noexcept { return dispatched_; }
    [[nodiscard]] std::uint64_t finished_blocks() const noexcept { return finished_; }
    [[nodiscard]] std::uint64_t started_launches() const noexcept {
        return waiting_time_.samples();
    }
    /// Sum over the cycles before `edge` of the blocks that are on SMXs.
    [[nodiscard]] std::uint64_t block_cycles(std::uint64_t edge) const noexcept {
        return running_.sum(edge);
    }
    /// Declares smx_scheduler_statistics under `scope`, launch_statistics under "launch", and sets
    /// them, up to `edge`.
    void collect(statistics& out, const std::string& scope, std::uint64_t edge) const;

private:
    std::uint64_t dispatched_ = 0;
    std::uint64_t first_dispatch_ = 0;
    std::uint64_t last_dispatch_ = 0;
    std::uint64_t finished_ = 0;
    level_meter running_;
    block_limit stall_ = block_limit::none;
    std::uint64_t counted_edges_ = 0;  ///< edges whose stalls are in stall_cycles_
    std::array<std::uint64_t, block_limit_count> stall_cycles_{};
    histogram waiting_time_ = histogram::powers_of_two();
};

}  // namespace heddle
