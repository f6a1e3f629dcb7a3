// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/memory_client.h"
#include "hw/smx/lsu/memory_instruction.h"
#include "hw/smx/lsu/outstanding_accesses.h"
#include "hw/smx/lsu/record_table.h"

namespace heddle {

/// Loads and atomics that have been accepted and have not completed. Each counts the accesses that
/// it waits for; the last one completes it. Allocates nothing once it has grown.
class flight_table {
public:
    flight_table(memory_client& client, outstanding_accesses& outstanding)
        : client_(client), outstanding_(outstanding) {}

    /// The instruction enters the queue, which counts as one access. Returns its index.
    [[nodiscard]] std::uint32_t start(const memory_instruction& m) {
        const std::uint32_t index = flights_.take();
        flights_[index] = {m.flight, m.owner, 1};
        return index;
    }
    [[nodiscard]] const isa::instruction& instruction(std::uint32_t index) const noexcept {
        return *flights_[index].of.instruction;
    }
    [[nodiscard]] access_owner owner(std::uint32_t index) const noexcept {
        return flights_[index].owner;
    }

    void start_access(std::uint32_t index) noexcept { ++flights_[index].accesses; }
    /// Some lanes have their values.
    void deliver(std::uint32_t index, isa::lane_mask lanes, const std::uint32_t* values) {
        client_.loaded(flights_[index].of, lanes, values);
    }
    void end_access(std::uint32_t index) {
        flight& f = flights_[index];
        if (--f.accesses != 0) return;
        flights_.give_back(index);
        outstanding_.end_instruction(f.owner);
        client_.completed(f.of);
    }

private:
    struct flight {
        memory_flight of;
        access_owner owner{};
        std::uint32_t accesses = 0;  ///< under way, and one while in the queue
    };

    memory_client& client_;
    outstanding_accesses& outstanding_;
    record_table<flight> flights_;
};

}  // namespace heddle
