// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/clock_domain.h"
#include "hw/smx/issue/front_rest.h"

namespace heddle {

/// The sleep of an SMX from one turn of a scheduler to the next. What has changed may change what a
/// turn does, or what its cycles count as: each scheduler has one before the SMX sleeps for longer.
class turn_sleep {
public:
    /// `interval`: smx.issue_interval; `thread_pool`: schedulers issue from pools of threads.
    turn_sleep(std::uint32_t interval, bool thread_pool) noexcept
        : interval_(interval), skips_edges_(interval > 1 && !thread_pool) {}

    /// Behind a change that leaves nothing for the next edge, this edge is skipped. Not where
    /// schedulers have a turn at each edge, or with pools: the SMX would be awake soon, and to find
    /// out when costs as much as an edge.
    [[nodiscard]] bool skips_edges() const noexcept { return skips_edges_; }
    /// As of issue_front.
    void watch_cycles() noexcept { skips_edges_ = false; }

    void changed(std::uint64_t edge) noexcept { last_change_ = edge; }
    /// The next turn of front_rest that something may come of; ~0 if none. The edges of the domain
    /// are those of an SMX that is awake until all schedulers have had a turn, and while a turn
    /// might issue.
    [[nodiscard]] std::uint64_t due(clocked& smx, const front_rest& front) noexcept {
        const std::uint64_t all_have_had_one = last_change_ + interval_;
        smx.keep_edges_until(all_have_had_one);
        if (front.may_issue != keeps_edges_) {
            keeps_edges_ = front.may_issue;
            smx.keep_edges(keeps_edges_);
        }
        return front.turn <= all_have_had_one ? front.turn : ~std::uint64_t{0};
    }

private:
    const std::uint32_t interval_;
    bool skips_edges_;
    std::uint64_t last_change_ = 0;  ///< edge
    bool keeps_edges_ = false;       ///< as the domain knows
};

}  // namespace heddle
