// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/base/clock_domain.h"
#include "hw/base/period.h"
#include "hw/smx/lsu/loads/load_latency.h"
#include "hw/smx/memory_port/memory_port.h"

namespace heddle {

/// Takes the times of loads of global memory, if it is on.
class load_timer {
public:
    static constexpr std::uint64_t not_timed = ~std::uint64_t{0};

    load_timer(const clock_domain& domain, bool on)
        : domain_(domain), on_(on), edges_per_picosecond_(1 / period_of(domain.rate())) {}

    /// When the time of a load begins that was queued at edge `queued`.
    [[nodiscard]] std::uint64_t start(std::uint64_t queued, bool is_private) const noexcept {
        return on_ && !is_private ? queued : not_timed;
    }
    /// The load has hit in L1D and has its value at edge `done`.
    void hit(std::uint64_t start, std::uint64_t done) noexcept {
        if (start != not_timed) latency_.add_hit(done - start);
    }
    /// The answer has come to a load that asked, or joined those who wait, at edge `joined`.
    void answered(std::uint64_t start, std::uint64_t joined, memory_request& answer) noexcept {
        if (start != not_timed) split(start, joined, answer);
    }

    [[nodiscard]] const load_latency& latency() const noexcept { return latency_; }

private:
    // Apart: deliveries would keep registers for it.
    [[gnu::noinline]] void split(std::uint64_t start, std::uint64_t joined,
                                 memory_request& answer) noexcept {
        const std::uint64_t past_l1 = std::max(joined, answer.back.sent);
        const std::uint64_t arrived = std::max(past_l1, domain_.edge() - answer.back.inside);
        load_times times =
            split_load(start, past_l1, arrived, answer.access().times, edges_per_picosecond_);
        times[load_stage::l1] += domain_.edge() - arrived;
        latency_.add(times);
    }

    const clock_domain& domain_;
    const bool on_;
    const double edges_per_picosecond_;
    load_latency latency_;
};

}  // namespace heddle
