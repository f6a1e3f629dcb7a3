// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/memory_client.h"
#include "hw/smx/lsu/memory_instruction.h"
#include "hw/smx/lsu/outstanding_accesses.h"
#include "hw/smx/lsu/private_log.h"
#include "hw/smx/lsu/record_table.h"

namespace heddle {

/// Loads and atomics that have been accepted and have not completed. Each counts the accesses that
/// it waits for; the last one completes it. Allocates nothing once it has grown.
class flight_table {
public:
    /// `by_lane`: the client hears of the lanes of each access that ends. `log` gets what loads of
    /// its entries find; may be null.
    flight_table(memory_client& client, outstanding_accesses& outstanding, bool by_lane,
                 private_log* log)
        : client_(client), outstanding_(outstanding), by_lane_(by_lane), log_(log) {}

    /// The instruction enters the queue, which counts as one access. Returns its index.
    [[nodiscard]] std::uint32_t start(const memory_instruction& m) {
        const std::uint32_t index = flights_.take();
        flights_[index] = {m.flight, m.owner, 1, m.log};
        return index;
    }
    [[nodiscard]] const isa::instruction& instruction(std::uint32_t index) const noexcept {
        return *flights_[index].of.instruction;
    }
    [[nodiscard]] access_owner owner(std::uint32_t index) const noexcept {
        return flights_[index].owner;
    }

    /// An access of these lanes begins. Returns what end_access() is told.
    [[nodiscard]] std::uint32_t start_access(std::uint32_t index, isa::lane_mask lanes) {
        ++flights_[index].accesses;
        if (!by_lane_) return index;
        const std::uint32_t part = parts_.take();
        parts_[part] = {index, lanes};
        return part;
    }
    [[nodiscard]] std::uint32_t flight_of(std::uint32_t access) const noexcept {
        return by_lane_ ? parts_[access].flight : access;
    }
    void end_access(std::uint32_t access) {
        if (!by_lane_) return end_part(access);
        const lane_part part = parts_[access];
        parts_.give_back(access);
        client_.returned(flights_[part.flight].of, part.lanes);
        end_part(part.flight);
    }
    /// It has left the queue.
    void leave_queue(std::uint32_t index) { end_part(index); }
    /// Some lanes have their values.
    void deliver(std::uint32_t index, isa::lane_mask lanes, const std::uint32_t* values) {
        const flight& f = flights_[index];
        if (f.log == private_log::none) return client_.loaded(f.of, lanes, values);
        log_->set_old(f.log, lanes, values);
    }

private:
    void end_part(std::uint32_t index) {
        flight& f = flights_[index];
        if (--f.accesses != 0) return;
        flights_.give_back(index);
        outstanding_.end_instruction(f.owner);
        client_.completed(f.of);
    }

    /// Lanes of a flight that access together.
    struct lane_part {
        std::uint32_t flight = 0;
        isa::lane_mask lanes = 0;
    };
    struct flight {
        memory_flight of;
        access_owner owner{};
        std::uint32_t accesses = 0;  ///< under way, and one while in the queue
        private_log::entry_name log = private_log::none;
    };

    memory_client& client_;
    outstanding_accesses& outstanding_;
    const bool by_lane_;
    private_log* const log_;
    record_table<flight> flights_;
    record_table<lane_part> parts_;  ///< if by_lane_
};

}  // namespace heddle
