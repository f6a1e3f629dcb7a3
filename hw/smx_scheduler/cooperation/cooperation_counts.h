// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "models/base/level_meter.h"
#include "models/base/statistics.h"
#include "models/device/launch_id.h"

namespace heddle {

inline constexpr statistic_declaration cooperation_statistics[] = {
    {"launches", "launch", "Cooperative launches that have started"},
    {"groups", "block", "Active blocks of cooperative launches, mean over the cycles with any"},
    {"calls", "call", "Calls of cooperative blocks to the SMX scheduler"},
    {"barriers", "barrier", "Global barriers that were released"},
    {"kills", "block", "Blocks that were told to end at a call"},
    {"forks", "block", "Blocks that were started while their kernel ran"},
    {"gathers", "launch",
     "Launches that waited for blocks of cooperative ones to end, and have all their places"},
    {"gather_time", "cycle",
     "From the first cycle in which such a launch waits for room to its last block's start on its "
     "way, mean"},
    {"gather_time_maximum", "cycle", "The longest of these times"},
};

/// The column of a time series.
inline constexpr statistic_declaration cooperation_series_statistics[] = {
    {"groups", "block", "Active blocks of cooperative launches, mean over the cycles with any"},
};

/// What the SMX scheduler counts of cooperative kernels. Edges of later calls are not smaller.
class cooperation_counts {
public:
    void launched() noexcept { ++launches_; }
    void called() noexcept { ++calls_; }
    void released() noexcept { ++barriers_; }
    void killed() noexcept { ++kills_; }
    void forked(std::uint32_t blocks) noexcept { forks_ += blocks; }
    /// So many blocks of cooperative launches are active now.
    void active(std::uint64_t edge, std::uint64_t groups) noexcept { groups_.set(edge, groups); }

    /// A launch waits for blocks to end, in this cycle or one before.
    void waits(launch_id launch, std::uint64_t edge) {
        if (!gathering_) gathering_ = gathering{launch, edge};
    }
    /// The last block of a launch has gone to its SMX.
    void placed(launch_id launch, std::uint64_t edge) {
        if (!gathering_ || gathering_->launch != launch) return;
        const std::uint64_t time = edge - gathering_->since;
        gathering_.reset();
        ++gathers_;
        gather_cycles_ += time;
        longest_ = std::max(longest_, time);
    }

    /// Sum over the cycles before `edge` of the active blocks, and the cycles with any.
    [[nodiscard]] std::uint64_t group_cycles(std::uint64_t edge) const noexcept {
        return groups_.sum(edge);
    }
    [[nodiscard]] std::uint64_t busy_cycles(std::uint64_t edge) const noexcept {
        return groups_.busy(edge);
    }
    [[nodiscard]] std::uint64_t launches() const noexcept { return launches_; }
    [[nodiscard]] std::uint64_t groups() const noexcept { return groups_.level(); }
    [[nodiscard]] std::uint64_t kills() const noexcept { return kills_; }
    [[nodiscard]] std::uint64_t forks() const noexcept { return forks_; }

    /// Declares cooperation_statistics under `scope`, and sets them.
    void collect(statistics& out, const std::string& scope, std::uint64_t edge) const {
        out.declare(scope, cooperation_statistics);
        out.set(scope + ".launches", launches_);
        const std::uint64_t busy = groups_.busy(edge);
        out.set(
            scope + ".groups",
            busy == 0 ? 0.0 : static_cast<double>(groups_.sum(edge)) / static_cast<double>(busy));
        out.set(scope + ".calls", calls_);
        out.set(scope + ".barriers", barriers_);
        out.set(scope + ".kills", kills_);
        out.set(scope + ".forks", forks_);
        out.set(scope + ".gathers", gathers_);
        out.set(scope + ".gather_time", gathers_ == 0 ? 0.0
                                                      : static_cast<double>(gather_cycles_) /
                                                            static_cast<double>(gathers_));
        out.set(scope + ".gather_time_maximum", longest_);
    }

private:
    struct gathering {
        launch_id launch;
        std::uint64_t since = 0;  ///< edge
    };

    std::uint64_t launches_ = 0;
    std::uint64_t calls_ = 0;
    std::uint64_t barriers_ = 0;
    std::uint64_t kills_ = 0;
    std::uint64_t forks_ = 0;
    std::optional<gathering> gathering_;
    std::uint64_t gathers_ = 0;
    std::uint64_t gather_cycles_ = 0;
    std::uint64_t longest_ = 0;
    level_meter groups_;
};

}  // namespace heddle
