// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/clock_domain.h"
#include "hw/protocol/shared_access.h"
#include "hw/smx/lsu/lines/load_store_counters.h"
#include "hw/smx/lsu/queue/due_ring.h"
#include "hw/smx/lsu/queue/flight_table.h"
#include "hw/smx/lsu/queue/instruction_queue.h"
#include "hw/smx/pipeline/code_profile.h"

namespace heddle {

/// Accesses to shared memory over a shared_link: all lanes of an instruction at once. Bank
/// conflicts keep the unit busy.
class shared_accesses {
public:
    using link = protocol::initiator_socket_base<protocol::shared_link>;

    shared_accesses(const clock_domain& domain, sm_id sm, unsigned lanes, link& shared,
                    flight_table& flights, memory_client& client, load_store_counters& counters);

    /// `profile` is told of the accesses. Call before the run starts.
    void follow(code_profile& profile) noexcept { profile_ = &profile; }
    /// The lanes m.left.in_shared; only from busy_until() on.
    void access(const queued_instruction& m, std::uint64_t edge);
    /// The banks are busy before this edge.
    [[nodiscard]] std::uint64_t busy_until() const noexcept { return busy_until_; }

    /// Ends the accesses whose latency ends at this edge.
    void complete(std::uint64_t edge) {
        while (under_way_.due(edge)) flights_.end_access(under_way_.pop());
    }
    /// Edge of the next one; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept { return under_way_.next_due(); }

private:
    /// What the banks are asked.
    void describe(const queued_instruction& m);
    /// Asks them. Returns the cycles that they take.
    [[nodiscard]] std::uint64_t serve();

    // What every cycle looks at comes first.
    due_ring<flight_access> under_way_;  ///< loads, atomics
    std::uint64_t busy_until_ = 0;
    const clock_domain& domain_;
    const unsigned lanes_;
    link& shared_;
    flight_table& flights_;
    memory_client& client_;
    load_store_counters& counters_;
    pool<protocol::shared_access> pool_;
    pool_ptr<protocol::shared_access> payload_;  ///< of all accesses
    code_profile* profile_ = nullptr;            ///< null: nobody asks
    std::uint64_t cycle_ticks_ = 0;              ///< of the simulator's time; 0: not known yet
};

}  // namespace heddle
