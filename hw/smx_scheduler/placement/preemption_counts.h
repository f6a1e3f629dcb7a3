// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/base/histogram.h"
#include "models/base/statistics.h"

namespace heddle {

/// Scope "coop.preempt", of runs with that key.
inline constexpr statistic_declaration preemption_statistics[] = {
    {"launches", "launch", "Times that all blocks of a launch were told to leave their SMXs"},
    {"blocks", "block", "Blocks that left, each time"},
    {"bytes", "byte", "State of these blocks that was written to memory, in all"},
    {"room_time", "cycle",
     "From the cycle in which the blocks of a launch are told to leave to the one in which the "
     "last of them has left or ended, mean"},
    {"lost_time", "cycle",
     "From the cycle in which the blocks of a launch are told to leave to the one in which the "
     "last of them goes to an SMX again, mean"},
};

/// What the SMX scheduler counts of preemption.
class preemption_counts {
public:
    void told() noexcept { ++launches_; }
    void saved(std::uint32_t bytes) noexcept {
        ++blocks_;
        bytes_ += bytes;
    }
    /// All blocks of a launch have left, so many cycles after they were told to.
    void made_room(std::uint64_t cycles) { room_.add(cycles); }
    /// All that had left are back.
    void returned(std::uint64_t cycles) { lost_.add(cycles); }

    [[nodiscard]] std::uint64_t launches() const noexcept { return launches_; }
    [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }
    [[nodiscard]] const histogram& room_time() const noexcept { return room_; }
    [[nodiscard]] const histogram& lost_time() const noexcept { return lost_; }

    /// Declares preemption_statistics under `scope`, and sets them.
    void collect(statistics& out, const std::string& scope) const {
        out.declare(scope, preemption_statistics);
        out.set(scope + ".launches", launches_);
        out.set(scope + ".blocks", blocks_);
        out.set(scope + ".bytes", bytes_);
        out.set(scope + ".room_time", room_);
        out.set(scope + ".lost_time", lost_);
    }

private:
    std::uint64_t launches_ = 0;
    std::uint64_t blocks_ = 0;
    std::uint64_t bytes_ = 0;
    histogram room_ = histogram::powers_of_two();
    histogram lost_ = histogram::powers_of_two();
};

}  // namespace heddle
