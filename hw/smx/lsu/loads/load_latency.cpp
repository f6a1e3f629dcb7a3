// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/loads/load_latency.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace heddle {

static_assert(std::size(load_latency_statistics) == 1 + load_stage_count);

std::uint64_t load_times::total() const noexcept {
    return std::accumulate(in.begin(), in.end(), std::uint64_t{0});
}

load_times split_load(std::uint64_t queued, std::uint64_t past_l1, std::uint64_t now,
                      const protocol::access_times& at, double edges_per_picosecond) noexcept {
    load_times times;
    std::uint64_t reached = past_l1;
    // Up to the edge nearest to `end`; nothing if that lies behind, or is unknown (0).
    const auto until = [&](double end) {
        const auto edge = static_cast<std::int64_t>(end * edges_per_picosecond + 0.5);
        const std::uint64_t next =
            std::max(reached, std::min(now, static_cast<std::uint64_t>(edge)));
        return next - std::exchange(reached, next);
    };
    times[load_stage::l1] = past_l1 - queued;
    times[load_stage::crossbar] = until(at.arrived);
    times.fetched = at.fetch.sent != 0;
    if (times.fetched) {
        times[load_stage::l2] = until(at.fetch.sent);
        times[load_stage::queue] = until(at.fetch.dispatched);
        times[load_stage::dram] = until(at.fetch.answered);
    }
    times[load_stage::l2] += until(at.answered);
    times[load_stage::crossbar] += now - reached;
    return times;
}

void load_latency::add(const load_times& times) noexcept {
    total_.add(times.total());
    const auto last = times.fetched ? load_stage::dram : load_stage::l2;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i) stages_[i].add(times.in[i]);
}

void load_latency::merge(const load_latency& other) {
    total_.merge(other.total_);
    for (std::size_t i = 0; i < load_stage_count; ++i) stages_[i].merge(other.stages_[i]);
}

void load_latency::collect(statistics& into, const std::string& scope) const {
    into.declare(scope, load_latency_statistics);
    into.set(scope + ".total", total_);
    for (std::size_t i = 0; i < load_stage_count; ++i) {
        into.set(scope + "." + load_latency_statistics[1 + i].name, stages_[i]);
    }
}

}  // namespace heddle
