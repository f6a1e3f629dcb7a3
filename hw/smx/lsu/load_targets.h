// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/smx/lsu/instruction_queue.h"
#include "hw/smx/lsu/line_access.h"
#include "hw/smx/lsu/record_table.h"

namespace heddle {

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
    [[nodiscard]] std::uint32_t wait(const queued_instruction& m, const line_access& a,
                                     std::uint32_t base, std::uint64_t edge);
    /// They wait for the fill of `miss`, behind those who do already.
    void wait_for_fill(std::uint16_t miss, const queued_instruction& m, const line_access& a,
                       std::uint64_t edge);

    /// Has the host's cache fetch a target, which is delivered to soon.
    void prefetch(std::uint32_t index) const noexcept {
        const auto* const first = reinterpret_cast<const std::uint8_t*>(&targets_[index]);
        for (std::size_t byte = 0; byte < sizeof(target); byte += protocol::host_line_bytes) {
            __builtin_prefetch(first + byte);
        }
    }
    /// `data`: what the target has waited for.
    void deliver(std::uint32_t index, const std::uint8_t* data, memory_request& answer);
    /// `line`: what all have waited for whose line `miss` has asked for.
    void deliver_fill(std::uint16_t miss, const std::uint8_t* line, memory_request& answer);

private:
    static constexpr std::uint32_t none = ~0u;

    struct target {
        std::uint32_t flight = 0;
        std::uint32_t access = 0;   ///< of the flight
        std::uint32_t next = none;  ///< of those that wait for the same fill
        isa::lane_mask lanes = 0;
        std::uint64_t started = load_timer::not_timed;
        std::uint64_t joined = 0;           ///< edge of the access
        coalescer::lane_offsets offsets{};  ///< in the answer
    };
    struct target_list {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };

    const unsigned lanes_;
    flight_table& flights_;
    load_timer& timer_;
    record_table<target> targets_;
    std::vector<target_list> waiting_;  ///< by miss register
};

}  // namespace heddle
