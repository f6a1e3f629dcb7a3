// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle {

/// Whether instants that are worth several threads are faster with them: on a host whose cores are
/// far from each other (no common cache, a virtual machine that was moved) they are not. Both ways
/// are timed, in runs of some hundred instants: the faster one goes on, and the other one is tried
/// again after a while, later each time that it is slower.
class pace {
public:
    static constexpr std::uint32_t settling = 16;  ///< instants after a change that are not timed
    static constexpr std::uint32_t timed = 240;    ///< instants of a run
    static constexpr std::uint32_t shortest_hold = 8, longest_hold = 128;  ///< runs until a try

    /// Before an instant: whether the threads share it. `weight`: its work; 0: nothing to share.
    /// `clock()`: the host's time, in any unit.
    template <class Clock>
    [[nodiscard]] bool shares(std::uint32_t weight, const Clock& clock) noexcept {
        if (weight_ == 0 && weight == 0) return false;
        const std::uint64_t now = clock();
        if (weight_ != 0) count(now - begun_);
        begun_ = now;
        weight_ = weight;
        return weight != 0 && shared_;
    }

    /// The instant that shares() was asked about has so much more work.
    void add(std::uint32_t weight) noexcept { weight_ += weight; }

private:
    void count(std::uint64_t time) noexcept {
        if (++instants_ <= settling) return;
        time_ += time;
        work_ += weight_;
        if (instants_ < settling + timed) return;
        end_run(static_cast<double>(time_) / static_cast<double>(work_));
        instants_ = 0;
        time_ = work_ = 0;
    }
    void end_run(double cost) noexcept {
        costs_[shared_ ? 1 : 0] = cost;
        if (!trying_) {
            if (--left_ != 0) return;
            trying_ = true;
            shared_ = !shared_;
            return;
        }
        trying_ = false;
        if (cost < costs_[shared_ ? 0 : 1]) {
            hold_ = shortest_hold;
        } else {
            shared_ = !shared_;
            hold_ = std::min(2 * hold_, longest_hold);
        }
        left_ = hold_;
    }

    bool shared_ = true, trying_ = false;
    std::uint32_t left_ = 1;  ///< runs until a try
    std::uint32_t hold_ = shortest_hold;
    std::uint32_t instants_ = 0;  ///< of this run
    std::uint32_t weight_ = 0;    ///< of the instant before
    std::uint64_t begun_ = 0;     ///< when that began
    std::uint64_t time_ = 0, work_ = 0;
    std::array<double, 2> costs_{};  ///< of a unit of work: alone, shared
};

}  // namespace heddle
