// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/queue/instruction_queue.h"
#include "hw/smx/lsu/queue/memory_client.h"
#include "hw/smx/lsu/queue/outstanding_accesses.h"
#include "hw/smx/lsu/queue/record_table.h"

namespace heddle {

/// Loads and atomics that have been accepted and have not completed. Each counts the accesses that
/// it waits for; the last one completes it. Allocates nothing once it has grown.
class flight_table {
public:
    /// `by_lane`: the client hears of the lanes of each access that ends. `log` gets what loads for
    /// it find; may be null.
    flight_table(memory_client& client, outstanding_accesses& outstanding, bool by_lane,
                 private_log* log)
        : client_(client), outstanding_(outstanding), by_lane_(by_lane), log_(log) {}

    /// The instruction enters the queue, which counts as one access.
    [[nodiscard]] flight_index start(const memory_instruction& m) {
        const flight_index index = flights_.take();
        flights_[index] = {m.flight, m.owner, 1, m.log};
        return index;
    }
    [[nodiscard]] const isa::instruction& instruction(flight_index index) const noexcept {
        return *flights_[index].of.instruction;
    }
    [[nodiscard]] access_owner owner(flight_index index) const noexcept {
        return flights_[index].owner;
    }

    /// An access of these lanes begins. Returns what end_access() is told.
    [[nodiscard]] flight_access start_access(flight_index index, isa::lane_mask lanes) {
        ++flights_[index].accesses;
        if (!by_lane_) return flight_access(index.value());
        const flight_access part = parts_.take();
        parts_[part] = {index, lanes};
        return part;
    }
    [[nodiscard]] flight_index flight_of(flight_access access) const noexcept {
        return by_lane_ ? parts_[access].flight : flight_index(access.value());
    }
    void end_access(flight_access access) {
        if (!by_lane_) return end_part(flight_index(access.value()));
        const lane_part part = parts_[access];
        parts_.give_back(access);
        const flight& of = flights_[part.flight];
        if (!of.log.exists()) client_.returned(of.of, part.lanes);
        end_part(part.flight);
    }
    /// It has left the queue.
    void leave_queue(flight_index index) { end_part(index); }
    /// Some lanes have their values.
    void deliver(flight_index index, isa::lane_mask lanes, const std::uint32_t* values) {
        const flight& f = flights_[index];
        if (!f.log.exists()) return client_.loaded(f.of, lanes, values);
        log_->set_old(f.log, lanes, values);
    }

private:
    void end_part(flight_index index) {
        flight& f = flights_[index];
        if (--f.accesses != 0) return;
        flights_.give_back(index);
        outstanding_.end_instruction(f.owner);
        if (!f.log.exists()) return client_.completed(f.of);
        log_->arrived(f.log);
        client_.log_accessed();
    }

    /// Lanes of a flight that access together.
    struct lane_part {
        flight_index flight{};
        isa::lane_mask lanes = 0;
    };
    struct flight {
        memory_flight of;
        access_owner owner{};
        std::uint32_t accesses = 0;  ///< under way, and one while in the queue
        logged_store log;            ///< if it exists, the load is for the log
    };

    memory_client& client_;
    outstanding_accesses& outstanding_;
    const bool by_lane_;
    private_log* const log_;
    record_table<flight_index, flight> flights_;
    record_table<flight_access, lane_part> parts_;  ///< if by_lane_
};

}  // namespace heddle
