// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/protocol/shared_access.h"
#include "hw/smx/shared_memory/shared_banks.h"
#include "hw/smx/shared_memory/shared_memory_configuration.h"
#include "models/base/statistics.h"

namespace heddle {

/// Scope "smx.N.shared_memory".
inline constexpr statistic_declaration shared_memory_statistics[] = {
    {"accesses", "access", "Accesses of warps to shared memory"},
    {"atomics", "access", "Atomic accesses of warps to shared memory"},
    {"bank_conflicts", "access",
     "Accesses of warps to shared memory that needed the banks for more than one cycle"},
    {"bank_conflict_cycles", "cycle",
     "Cycles that accesses to shared memory needed the banks, beyond the first cycle of each "
     "access"},
};

/// The shared memory of an SMX.
///
/// socket (shared_link, target): b_transport performs the access in the call and annotates
/// shared.latency, and shared.replay_latency for every turn of the banks beyond the first
/// (shared_banks.h says what conflicts). Who calls keeps the banks busy for busy_cycles: a cycle
/// a turn, shared.write_interval for a store or atomic. An
/// access beyond the memory gets shared_response::address_error and shared.latency. nb_transport is
/// an error.
/// Costs host time per access only: it has no process and no state in flight.
class shared_memory : public sc_core::sc_module {
public:
    /// `domain`: whose cycles the latency counts.
    shared_memory(const sc_core::sc_module_name& name, const clock_domain& domain,
                  const shared_memory_configuration& configuration, std::uint32_t bytes);

    protocol::target_socket_of<shared_memory, protocol::shared_link> socket;

    /// A block starts: zeroes its memory.
    void clear(std::uint32_t first, std::uint32_t bytes) noexcept { banks_.clear(first, bytes); }

    /// What lies there, for a block that leaves the SMX to come back.
    [[nodiscard]] const std::uint8_t* bytes(std::uint32_t first) const noexcept {
        return banks_.bytes(first);
    }
    void restore(std::uint32_t first, const void* from, std::uint32_t bytes) noexcept {
        banks_.restore(first, from, bytes);
    }

    /// The array, for the unit of transactions.
    [[nodiscard]] shared_banks& array() noexcept { return banks_; }

    /// Time of an access that needs the banks for so many turns, in cycles.
    [[nodiscard]] unsigned cycles_of(unsigned turns) const noexcept {
        return latency_ + (turns - 1) * replay_latency_;
    }
    /// Adds so many cycles to a time annotation.
    void annotate(sc_core::sc_time& delay, unsigned cycles) {
        // Not in the constructor: the time resolution is final only once the simulation runs.
        if (cycle_ticks_ == 0) cycle_ticks_ = domain_->edge_time(1).value();
        delay += sc_core::sc_time::from_value(cycle_ticks_ * cycles);
    }

    void collect(statistics& into, const std::string& scope) const;
    [[nodiscard]] const shared_banks_counters& counters() const noexcept {
        return banks_.counters();
    }

private:
    void access(protocol::shared_access& payload, sc_core::sc_time& delay);

    shared_banks banks_;
    std::uint32_t latency_;
    std::uint32_t replay_latency_;
    std::uint32_t write_interval_;
    const clock_domain* domain_;
    std::uint64_t cycle_ticks_ = 0;
};

}  // namespace heddle
