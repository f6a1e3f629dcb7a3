// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/lines/line_losses.h"
#include "hw/smx/lsu/loads/load_targets.h"
#include "hw/smx/lsu/queue/due_ring.h"

namespace heddle {

/// Loads that look into a cache: L1D for private memory, and for global memory where it is cached;
/// the caches of a load_path. A load takes its value at the hit or at the fill.
class cached_loads final : private protocol::naming_requester<miss_register> {
public:
    /// `losses`: what the cache loses on a miss; null for a cache whose lines nobody writes or
    /// misses.
    cached_loads(const l1_data_cache_configuration& configuration, l1_data_cache& cache,
                 const load_environment& environment, load_targets& targets, line_losses* losses);

    access_refusal access(const queued_instruction& m, const line_access& a, std::uint64_t edge);
    /// Ends the hits whose latency ends at this edge.
    void complete(std::uint64_t edge) {
        while (hits_.due(edge)) flights_.end_access(hits_.pop());
    }
    /// Edge of the next one; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept { return hits_.next_due(); }

private:
    void expect(const memory_request& answer) const noexcept override {
        cache_.prefetch(static_cast<std::uint32_t>(answer.get_address()));
        targets_.prefetch_fill(name_of(answer));
    }
    /// The line that a miss has asked for.
    void responded(memory_request& answer) override {
        requests_.filled();
        const miss_register miss = name_of(answer);
        targets_.deliver_fill(miss, cache_.fill(miss, answer.data()), answer);
    }
    void hit(const queued_instruction& m, const line_access& a, const std::uint8_t* line,
             std::uint64_t edge);
    void request_line(const queued_instruction& m, const line_access& a, miss_register miss);

    due_ring<flight_access> hits_;  ///< first, as every cycle looks at it
    const unsigned lanes_;
    const std::uint32_t line_bytes_;
    const std::uint32_t hit_latency_;
    l1_data_cache& cache_;
    data_requests& requests_;
    flight_table& flights_;
    load_timer& timer_;
    load_targets& targets_;
    line_losses* const losses_;
};

}  // namespace heddle
