// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/protocol/thread_turn.h"
#include "hw/smx/issue/load_store_gate.h"
#include "hw/smx/issue/pool_port.h"
#include "hw/smx/issue/thread_flights.h"
#include "hw/smx/pipeline/code_profile.h"
#include "hw/smx/pipeline/cycle_account.h"

namespace heddle {

/// Why a scheduler that issues from a pool of threads issues nothing, and which instruction keeps
/// it.
class turn_causes {
public:
    /// What knows where threads are; all of it outlives the object.
    struct parts {
        const protocol::thread_program& program;
        const std::vector<pool_port>& pools;
        const thread_flights& flights;
        const load_store_gate& gate;
    };
    explicit turn_causes(const parts& of) : of_(of) {}

    /// After a call of the pool that issued nothing.
    [[nodiscard]] cycle_cause of(unsigned pool) const;
    /// Position of the instruction that keeps the pool: one that waits for its unit, or one that
    /// threads have issued and are in until it is over. Threads that wait to be formed are at
    /// `last_pc`, where the last of them arrived.
    [[nodiscard]] std::uint32_t place(unsigned pool, cycle_cause cause,
                                      std::uint32_t last_pc) const noexcept;

private:
    [[nodiscard]] std::uint32_t place(unsigned pool, flight_place place) const noexcept {
        const thread_flight* const first = of_.flights.first(pool, place);
        return first == nullptr ? code_profile::nowhere : of_.program.position(first->pc);
    }

    const parts of_;
};

}  // namespace heddle
