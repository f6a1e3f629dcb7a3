// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/base/waveform.h"
#include "hw/smx/l1/l1_data_cache.h"
#include "hw/smx/lsu/lines/load_store_counters.h"
#include "hw/smx/lsu/lines/lost_localities.h"
#include "hw/smx/lsu/load_store_statistics.h"
#include "hw/smx/lsu/loads/load_path.h"
#include "hw/smx/lsu/loads/load_timer.h"
#include "hw/smx/lsu/queue/instruction_queue.h"
#include "hw/smx/lsu/queue/reservation_wait.h"

namespace heddle {

/// What a load_store_report looks at; all of it outlives the report.
struct load_store_parts {
    unsigned lanes;  ///< of a warp
    const instruction_queue& queue;
    const reservation_wait& wait;
    const l1_data_cache& l1d;
    const load_path& constants;
    const load_path& read_only;
    const load_store_counters& counters;
    const load_timer& timer;
    const load_timer& constant_timer;
    const lost_localities& lost;
};

/// What a load-store unit tells about itself: statistics, waveform, wait-for report.
class load_store_report {
public:
    explicit load_store_report(const load_store_parts& parts) : parts_(parts) {}

    [[nodiscard]] const load_store_counters& counters() const noexcept { return parts_.counters; }
    [[nodiscard]] const l1_data_cache_counters& cache_counters() const noexcept {
        return parts_.l1d.counters();
    }
    /// Of loads of global memory.
    [[nodiscard]] const load_latency& latency() const noexcept { return parts_.timer.latency(); }
    /// Of loads of constants.
    [[nodiscard]] const histogram& constant_latency() const noexcept {
        return parts_.constant_timer.latency().total();
    }
    /// Cycles before `edge` in which an access had to wait for the cache.
    [[nodiscard]] std::uint64_t reservation_fails(reservation_fail cause,
                                                  std::uint64_t edge) const noexcept {
        return parts_.wait.cycles(cause, edge);
    }

    /// What the machine shows of L1D, up to `edge`.
    [[nodiscard]] l1d_counts l1d(std::uint64_t edge) const;
    /// What the machine shows of the constant cache, up to `edge`.
    [[nodiscard]] load_cache_counts constants(std::uint64_t edge) const;
    /// The same of the read-only cache.
    [[nodiscard]] load_cache_counts read_only(std::uint64_t edge) const;
    /// Unit, caches, latencies: statistics under `scope` ("smx.3.lsu.…", "smx.3.l1d.…",
    /// "smx.3.constant_cache.…", "smx.3.load_latency.…",
    /// "smx.3.constant_latency.…") up to `edge`.
    void collect(statistics& into, const std::string& scope, std::uint64_t edge) const;
    /// Declares the unit's state; push it with publish() from update().
    void trace(waveform& waves, const std::string& scope);
    void publish();
    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const;

private:
    [[nodiscard]] load_cache_counts counts_of(const load_path& path, reservation_fail cause,
                                              std::uint64_t edge) const;

    const load_store_parts parts_;
    wave_integer queue_wave_;
    wave_integer misses_wave_;
    wave_integer constant_misses_wave_;
    wave_integer read_only_misses_wave_;
    wave_state state_wave_;
};

}  // namespace heddle
