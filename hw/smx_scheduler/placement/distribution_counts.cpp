// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/distribution_counts.h"

namespace heddle {

void distribution_counts::begin_cycle(std::uint64_t edge) noexcept {
    stall_cycles_[static_cast<std::size_t>(stall_)] += edge - counted_edges_;
    counted_edges_ = edge;
    stall_ = block_limit::none;
}

void distribution_counts::dispatched(std::uint64_t edge, std::uint64_t resident) noexcept {
    if (dispatched_++ == 0) first_dispatch_ = edge;
    last_dispatch_ = edge;
    running_.set(edge, resident);
}

void distribution_counts::finished(std::uint64_t edge, std::uint64_t resident) noexcept {
    ++finished_;
    running_.set(edge, resident);
}

void distribution_counts::collect(statistics& out, const std::string& scope,
                                  std::uint64_t edge) const {
    auto stalls = stall_cycles_;
    stalls[static_cast<std::size_t>(stall_)] += edge - counted_edges_;
    const auto cycles = [&](block_limit limit) { return stalls[static_cast<std::size_t>(limit)]; };
    out.declare(scope, smx_scheduler_statistics);
    out.set(scope + ".blocks", dispatched_);
    if (dispatched_ != 0) {
        out.set(scope + ".first_dispatch", first_dispatch_);
        out.set(scope + ".last_dispatch", last_dispatch_);
    }
    out.set(scope + ".blocks_finished", finished_);
    out.set(scope + ".stall_blocks", cycles(block_limit::blocks));
    out.set(scope + ".stall_threads", cycles(block_limit::threads));
    out.set(scope + ".stall_registers", cycles(block_limit::registers));
    out.set(scope + ".stall_shared", cycles(block_limit::shared));
    out.set(scope + ".stall_private", cycles(block_limit::private_memory));
    out.set(scope + ".stall_handshake", cycles(block_limit::handshake));
    out.declare("launch", launch_statistics);
    out.set("launch.count", started_launches());
    out.set("launch.waiting_time", waiting_time_);
}

}  // namespace heddle
