// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/lsu/lines/line_access.h"
#include "hw/smx/lsu/loads/load_timer.h"
#include "hw/smx/lsu/queue/instruction_queue.h"
#include "hw/smx/lsu/queue/record_table.h"
#include "models/base/host_cache.h"

namespace heddle {

/// What loads work with; all of it outlives them.
struct load_environment {
    unsigned lanes;  ///< of a warp
    data_requests& requests;
    flight_table& flights;
    load_timer& timer;
};

/// The lanes of a load that wait for an answer.
using load_target = strong_index<struct load_target_tag>;

/// Loads under way: which lanes wait for which bytes of an answer, and who waits for the fill of a
/// miss register. Allocates nothing once it has grown.
class load_targets {
public:
    load_targets(std::size_t miss_registers, const load_environment& environment)
        : lanes_(environment.lanes),
          flights_(environment.flights),
          timer_(environment.timer),
          waiting_(miss_registers) {}

    /// The lanes of access `a` wait for an answer that begins at device address `base`. Returns the
    /// target to deliver to. `edge`: now.
    [[nodiscard]] load_target wait(const queued_instruction& m, const line_access& a,
                                   std::uint32_t base, std::uint64_t edge);
    /// They wait for the fill of `miss`, behind those who do already.
    void wait_for_fill(miss_register miss, const queued_instruction& m, const line_access& a,
                       std::uint64_t edge);

    /// Has the host's cache fetch a target, which is delivered to soon.
    void prefetch(load_target index) const noexcept {
        prefetch_bytes(&targets_[index], sizeof(target));
    }
    /// The same for the first target of a fill.
    void prefetch_fill(miss_register miss) const noexcept {
        if (const load_target first = waiting_[miss].first; first != none) prefetch(first);
    }
    /// `data`: what the target has waited for.
    void deliver(load_target index, const std::uint8_t* data, memory_request& answer);
    /// `line`: what all have waited for whose line `miss` has asked for.
    void deliver_fill(miss_register miss, const std::uint8_t* line, memory_request& answer);

private:
    static constexpr load_target none{~0u};

    struct target {
        flight_index flight{};
        flight_access access{};   ///< of the flight
        load_target next = none;  ///< of those that wait for the same fill
        isa::lane_mask lanes = 0;
        std::uint64_t started = load_timer::not_timed;
        std::uint64_t joined = 0;           ///< edge of the access
        coalescer::lane_offsets offsets{};  ///< in the answer
    };
    struct target_list {
        load_target first = none;
        load_target last = none;
    };

    const unsigned lanes_;
    flight_table& flights_;
    load_timer& timer_;
    record_table<load_target, target> targets_;
    strong_vector<miss_register, target_list> waiting_;
};

}  // namespace heddle
