// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/base/histogram.h"
#include "models/base/statistics.h"

namespace heddle {

/// Of the launches by the host, of kernels and of groups by kernels: scopes "launch.host",
/// "launch.kernel", "launch.group".
inline constexpr statistic_declaration launch_kind_statistics[] = {
    {"count", "launch", "Launches of this kind whose first block has started"},
    {"waiting_time", "cycle",
     "From the first call of the launch to the first cycle in which a warp of it can issue, mean"},
    {"call_time", "cycle",
     "The part of the waiting time up to the moment at which its command leaves the SMX, mean"},
};

/// Beside them of aggregated groups, scope "launch.group".
inline constexpr statistic_declaration launch_group_statistics[] = {
    {"joined", "group", "Aggregated groups that have joined a kernel which ran"},
    {"refused", "group", "Aggregated groups that have found no kernel, and were launched as one"},
    {"spilled", "group",
     "Aggregated groups that have joined a kernel, and whose entry of the table was in use: their "
     "records were linked and fetched in memory"},
};

/// Beside launch_statistics where kernels have launched, scope "launch".
inline constexpr statistic_declaration device_launch_statistics[] = {
    {"footprint_peak", "byte",
     "Most memory that launches by kernels held from their parameter buffer's allocation to the "
     "start of their first block, or, with launch.footprint.until=end, to their end"},
    {"coalesced_fraction", "", "Aggregated groups that have joined a kernel / all groups"},
};

/// Waiting times by who launches.
class launch_counts {
public:
    enum class kind : std::uint8_t { host, kernel, group };

    void started(kind of, std::uint64_t waited, std::uint64_t called) {
        times& t = times_[static_cast<std::size_t>(of)];
        t.waiting.add(waited);
        t.calling.add(called);
    }
    [[nodiscard]] std::uint64_t count(kind of) const noexcept {
        return times_[static_cast<std::size_t>(of)].waiting.samples();
    }
    /// Declares and sets launch_kind_statistics of each kind.
    void collect(statistics& out) const {
        static constexpr const char* names[] = {"launch.host", "launch.kernel", "launch.group"};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string scope = names[i];
            out.declare(scope, launch_kind_statistics);
            out.set(scope + ".count", times_[i].waiting.samples());
            out.set(scope + ".waiting_time", times_[i].waiting);
            out.set(scope + ".call_time", times_[i].calling);
        }
    }

private:
    struct times {
        histogram waiting = histogram::powers_of_two();
        histogram calling = histogram::powers_of_two();
    };
    times times_[3];
};

}  // namespace heddle
