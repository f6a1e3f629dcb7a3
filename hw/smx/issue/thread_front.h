// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/smx/issue/block_fences.h"
#include "hw/smx/issue/front_parts.h"
#include "hw/smx/issue/home_meetings.h"
#include "hw/smx/issue/issue_front.h"
#include "hw/smx/issue/load_store_gate.h"
#include "hw/smx/issue/pool_port.h"
#include "hw/smx/issue/pool_scheduler.h"
#include "hw/smx/issue/thread_barriers.h"
#include "hw/smx/issue/thread_flights.h"
#include "hw/smx/issue/thread_moves.h"
#include "hw/smx/issue/thread_transactions.h"
#include "hw/smx/issue/turn_causes.h"
#include "hw/smx/issue/write_back.h"
#include "hw/smx/pipeline/execution_units.h"
#include "hw/smx/smx_capabilities.h"
#include "hw/smx/smx_configuration.h"

namespace heddle {

/// The front with pools of threads: nrec, dwf, mimd. Each scheduler issues from a pool of its own,
/// with the threads of its home warps, or all from one. No warp slots, instruction buffers or
/// scoreboard; instructions are always there. Barrel issue: a thread is in the pool, at a barrier
/// or a fence, or in one flight. Votes, shuffles and launch calls are executed by home warps
/// (home_meetings); a launch first waits, as at a fence, for the accesses of its block.
///
/// Times, for threads that issue at edge t: they are in the pool again, and may issue, at
/// t + smx.operand_latency + bank conflicts + the unit's latency, as under pdom with smx.barrel;
/// after a load, store or atomic when it has completed (or, with
/// smx_capabilities::individual_return, each thread when its own data has come); after a barrier or
/// fence not before the result of the instruction. A scheduler has a turn every smx.issue_interval
/// edges; with smx.dual_issue one that has issued a group may issue another one, as its threads
/// themselves have one instruction in flight.
class thread_front final : public issue_front, private memory_client {
public:
    thread_front(const smx_configuration& smx, sm_id sm, const smx_capabilities& can,
                 const std::vector<pool_user>& schedulers, const front_parts& parts);

    void connect() override {
        for (pool_port& each : pools_) each.connect();
    }
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
    [[nodiscard]] front_rest rest(std::uint64_t edge) const noexcept override;
    [[nodiscard]] movable_warps* movable() noexcept override { return &moves_; }
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
    [[nodiscard]] std::vector<std::string> waiting(
        const std::optional<std::uint64_t>& spinning_since) const override;

private:
    // memory_client
    void loaded(const memory_flight& flight, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(const memory_flight& flight) override;
    void log_accessed() override { changed_ = true; }
    void lost(const memory_flight& flight, isa::lane_mask lanes) override;
    void returned(const memory_flight& flight, isa::lane_mask lanes) override;
    void writes_drained(access_owner owner) override;

    void take_turns();
    void turn(unsigned s);
    /// As in thread_turn, where `units` take an instruction.
    [[nodiscard]] std::uint32_t accepting(unsigned s, std::uint32_t units) const noexcept;
    void issue_all(unsigned s);
    /// Returns the threads that issue.
    [[nodiscard]] unsigned issue(unsigned s, const protocol::thread_part& part,
                                 const std::uint16_t* threads, unsigned conflict_clocks,
                                 std::uint16_t transaction);
    void meet(unsigned pool, const protocol::thread_part& part, const std::uint16_t* threads,
              std::uint64_t result);
    void execute_meetings();
    void execute_called(unsigned warp);
    void end_calls();
    void land_at_result(thread_flight_index flight);
    void follow(thread_flight_index flight, const isa::instruction& i,
                const execution_outcome& outcome);
    /// The flight's threads come back to the pool.
    void land(thread_flight_index flight);
    void note_arrivals(const pool_port& pool, std::size_t first);
    /// The cycles of scheduler `s` from this one on. True if that is a change.
    bool charge(unsigned s, cycle_cause cause) noexcept;
    [[nodiscard]] const isa::instruction& instruction_at(unsigned block, std::uint32_t pc) const {
        return parts_.blocks.block(block).kernel->code.at(pc);
    }

    const smx_configuration configuration_;
    const unsigned warp_size_;
    const bool lane_units_;
    const front_parts parts_;
    protocol::thread_program program_;
    std::vector<pool_port> pools_;
    std::vector<pool_scheduler> schedulers_;
    std::array<std::uint8_t, protocol::maximum_warps> pool_of_{};  ///< by home warp

    thread_flights flights_;
    execution_units units_;
    write_back<thread_flight_index> results_;
    load_store_gate gate_;
    block_fences fences_;
    thread_barriers barriers_;
    home_meetings meetings_;
    thread_moves moves_;
    std::optional<thread_transactions> transactions_;  ///< null without transactions
    turn_causes causes_;
    cycle_account account_;
    code_profile* profile_ = nullptr;  ///< null: nobody asks
    level_meter in_flight_;
    issue_sizes sizes_;
    std::vector<std::uint32_t> pc_;  ///< by thread: of its last arrival
    std::uint32_t last_pc_ = 0;      ///< of the last arrival
    std::uint64_t second_issues_ = 0;

    std::uint64_t edge_ = 0;
    unsigned memory_results_ = 0;  ///< registers or threads that memory delivers at this edge
    bool changed_ = false;         ///< the next edge may differ from this one
};

}  // namespace heddle
