// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/protocol/thread_turn.h"
#include "hw/smx/issue/block_fences.h"
#include "hw/smx/issue/front_parts.h"
#include "hw/smx/issue/issue_front.h"
#include "hw/smx/issue/load_store_gate.h"
#include "hw/smx/issue/thread_barriers.h"
#include "hw/smx/issue/thread_flights.h"
#include "hw/smx/issue/write_back.h"
#include "hw/smx/pipeline/execution_units.h"
#include "hw/smx/smx_capabilities.h"
#include "hw/smx/smx_configuration.h"

namespace heddle {

/// The front with a pool of threads: nrec, dwf, mimd. No warp slots, instruction buffers or
/// scoreboard; instructions are always there. Barrel issue: a thread is in the pool, at a barrier
/// or a fence, or in one flight.
///
/// Times, for threads that issue at edge t: they are in the pool again, and may issue, at
/// t + smx.operand_latency + bank conflicts + the unit's latency, as under pdom with smx.barrel;
/// after a load, store or atomic when it has completed (or, with
/// smx_capabilities::individual_return, each thread when its own data has come); after a barrier or
/// fence not before the result of the instruction. The pool has a turn every smx.issue_interval
/// edges.
class thread_front final : public issue_front, private memory_client {
public:
    /// `pool` is the way to the thread pool.
    thread_front(const smx_configuration& smx, sm_id sm, const smx_capabilities& can,
                 protocol::initiator_socket_base<protocol::thread_link>& pool,
                 const front_parts& parts);

    void connect() override { turns_ = pool_.operator->(); }
    [[nodiscard]] memory_client& client() noexcept override { return *this; }
    void follow(code_profile& profile) override { profile_ = &profile; }
    void use_program(const program::kernel_code& code) override;
    void start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes,
               const program::kernel_code& code) override;
    void begin(std::uint64_t edge) noexcept override {
        edge_ = edge;
        changed_ = false;
        memory_results_ = 0;
    }
    void finish_fences() override;
    bool cycle() override;
    void complete_barriers(protocol::warp_mask homes) override;
    [[nodiscard]] bool settle() override;
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept override;
    [[nodiscard]] owner_set owners(unsigned block) const override {
        return block_fences::owners_of(block);
    }
    [[nodiscard]] bool drained(unsigned block) const override {
        return block_fences::drained(parts_.lsu, block);
    }

    [[nodiscard]] const cycle_account& account() const noexcept override { return account_; }
    [[nodiscard]] front_counts counts(std::uint64_t edge) const override;
    [[nodiscard]] front_masks masks() const override;
    /// A line for each PC of a block and what its threads do there.
    [[nodiscard]] std::vector<std::string> waiting(const program::image& image) const override;

private:
    // memory_client
    void loaded(const memory_flight& flight, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(const memory_flight& flight) override;
    void returned(const memory_flight& flight, isa::lane_mask lanes) override;
    void writes_drained(access_owner owner) override;

    void turn();
    void call_pool();
    [[nodiscard]] std::uint32_t accepting() noexcept;
    void issue(const protocol::thread_part& part);
    void follow(thread_flight_index flight, const isa::instruction& i,
                const execution_outcome& outcome);
    /// The flight's threads come back to the pool.
    void land(thread_flight_index flight);
    void land_loaded();
    void note_arrivals(std::size_t first);
    [[nodiscard]] std::vector<flight_place> places() const;
    [[nodiscard]] cycle_cause cause_of(const protocol::thread_issue& issue) const;
    /// The scheduler's cycles from this one on. True if that is a change.
    bool charge(cycle_cause cause) noexcept;
    [[nodiscard]] std::uint32_t place_of(cycle_cause cause) const noexcept;
    [[nodiscard]] std::uint32_t place_of(flight_place place) const noexcept {
        const thread_flight* const first = flights_.first(place);
        return first == nullptr ? code_profile::nowhere : position(first->pc);
    }
    [[nodiscard]] std::uint32_t position(std::uint32_t pc) const noexcept {
        return (pc - program_.base) / 4;
    }
    void expect_result(thread_flight_index flight, bool writes) noexcept {
        results_.add(flights_[flight].result, flight, writes);
    }

    const smx_configuration configuration_;
    const unsigned warp_size_;
    const bool lane_units_;
    protocol::initiator_socket_base<protocol::thread_link>& pool_;
    const front_parts parts_;
    protocol::thread_program program_;
    tlm::tlm_fw_transport_if<protocol::thread_link>* turns_ = nullptr;

    thread_flights flights_;
    execution_units units_;
    write_back<thread_flight_index> results_;
    load_store_gate gate_;
    block_fences fences_;
    thread_barriers barriers_;
    cycle_account account_;
    code_profile* profile_ = nullptr;  ///< null: nobody asks
    level_meter in_flight_;
    issue_sizes sizes_;
    std::vector<protocol::thread_arrival> arrivals_;  ///< since the last turn
    std::vector<thread_flight_index> partly_loaded_;  ///< since the last turn
    std::vector<std::uint32_t> pc_;                   ///< by thread: of its last arrival
    std::uint32_t last_pc_ = 0;                       ///< of the last arrival
    protocol::thread_turn turn_;                      ///< the payload of all calls

    std::uint64_t edge_ = 0;
    std::uint64_t next_turn_ = 0;  ///< edge
    unsigned memory_results_ = 0;  ///< register writes by memory at this edge
    bool changed_ = false;         ///< the next edge may differ from this one
};

}  // namespace heddle
