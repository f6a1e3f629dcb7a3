// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/smx/execute/instruction_executor.h"
#include "hw/smx/fetch/warp_paths.h"
#include "hw/smx/issue/barrier_waits.h"
#include "hw/smx/issue/issue_front.h"
#include "hw/smx/issue/outcome_follower.h"
#include "hw/smx/issue/scheduler_turns.h"
#include "hw/smx/issue/transaction_losers.h"
#include "hw/smx/issue/warp_moves.h"
#include "hw/smx/issue/warp_profile.h"
#include "hw/smx/issue/warp_readiness.h"
#include "hw/smx/issue/write_back.h"
#include "hw/smx/pipeline/issue_sizes.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/pipeline/scoreboard.h"
#include "hw/smx/pipeline/warp_waits.h"

namespace heddle {

/// What the issue stage works with; all of it outlives the stage.
struct issue_parts {
    warp_paths& paths;
    const issue_table& table;
    block_table& blocks;
    instruction_executor& executor;
    load_store_unit& lsu;
    warp_waits& waits;
    const observer_holder& observer;
    const protocol::warp_mask& in_transactions;
};

/// Issues: warp_readiness says which warps could, scheduler_turns which of them do; their
/// instructions are executed, and outcome_follower takes the warps on. Scoreboard and write-back
/// join one instruction with the next.
///
/// Times, for an instruction that issues at edge t: a dependent one may issue at
/// t + smx.operand_latency + bank conflicts + the unit's latency; the unit's input is free again
/// after its interval (and the conflicts); a barrier that is complete at t lets its warps issue at
/// t + smx.barrier_latency. With smx.dual_issue a pick may issue two instructions.
class issue_stage final : public memory_client {
public:
    issue_stage(const smx_configuration& smx, const warp_scheduler_configuration& scheduler,
                unsigned warps, std::unique_ptr<formation> groups, scheduler_ports& ports,
                const issue_parts& parts);

    /// Lanes that lose their transaction leave their warps' groups by `losers`.
    void connect(transaction_losers& losers) noexcept { losers_ = &losers; }
    /// `profile`, which outlives the stage, is told what cycles and instructions cost. Call before
    /// the run starts.
    void follow(code_profile& profile);
    /// A new program: what has been learnt of its instructions is gone.
    void use_program(const program::kernel_code& code);
    /// The warp has come back to its slot.
    void came_back(unsigned warp) noexcept {
        if (profile_) profile_->came_back(warp);
    }
    /// How warps come into their slots, and leave them.
    [[nodiscard]] const warp_moves& moves() const noexcept { return moves_; }

    /// Before the steps of a cycle.
    void begin(std::uint64_t edge) noexcept {
        edge_ = edge;
        changed_ = used_ = false;
        memory_results_ = 0;
    }
    /// Step (1), after the accesses that have come back: fences whose warp may go on.
    void finish_fences();
    /// Step (2): results of the pipelines.
    void write_results();
    /// Step (3).
    void cycle();
    /// The states of these warps have to be found again: instructions have arrived, ...
    void touch(protocol::warp_mask warps) noexcept { readiness_.touch(warps); }
    /// Step (6) tells it of barriers that are complete.
    [[nodiscard]] barrier_waits& barriers() noexcept { return barriers_; }
    /// End of the cycle: accounts for it. True if the next cycle may differ from this one.
    [[nodiscard]] bool settle();

    /// Warps that issued in this cycle; those of `turned` may have left the straight path.
    [[nodiscard]] protocol::warp_mask issued() const noexcept { return issued_; }
    [[nodiscard]] protocol::warp_mask turned() const noexcept { return follower_.turned(); }
    /// As of issue_front.
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept;
    /// Likewise; ~0 where the SMX may sleep through turns at which nothing issues.
    [[nodiscard]] std::uint64_t next_turn(std::uint64_t edge) const noexcept {
        return turns_.foresees() ? event_wheel_limits::never : turns_.next_turn(edge);
    }
    /// As of issue_front.
    void watch_cycles() noexcept { turns_.foresee_nothing(); }
    /// After settle() was false: what has changed has been used in this cycle.
    [[nodiscard]] bool used() const noexcept { return used_; }
    [[nodiscard]] bool may_issue() const noexcept { return readiness_.states().ready() != 0; }

    /// Warp slots by what they do, for the waveform.
    [[nodiscard]] front_masks masks() const noexcept {
        const warp_states& states = readiness_.states();
        return {~states.in(warp_state::absent), states.ready(), states.waiting_for_data(),
                parts_.waits.in<warp_state::waits_at_barrier>()};
    }
    [[nodiscard]] const cycle_account& account() const noexcept { return turns_.account(); }
    [[nodiscard]] const write_back<warp_code>& results() const noexcept { return results_; }
    [[nodiscard]] const issue_sizes& sizes() const noexcept { return sizes_; }
    /// Instructions that were issued second in a cycle of their scheduler.
    [[nodiscard]] std::uint64_t second_issues() const noexcept { return turns_.second_issues(); }
    /// Warps with a register that waits for a result, over time.
    [[nodiscard]] const level_meter& executing_warps() const noexcept { return in_flight_; }
    /// What the warp does, or what keeps it from its next instruction.
    [[nodiscard]] const char* doing(unsigned warp) const { return readiness_.doing(warp); }

private:
    // memory_client
    void loaded(const memory_flight& flight, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(const memory_flight& flight) override;
    void log_accessed() override { changed_ = true; }
    void lost(const memory_flight& flight, isa::lane_mask lanes) override {
        losers_->lost(flight.group.as<warp_slot>().value(), lanes);
    }
    void writes_drained(access_owner owner) override;
    void lost_locality(warp_slot warp) override {
        events_.lost_locality |= bits::one(warp.value());
    }

    void issue(unsigned scheduler, unsigned warp);
    void expect_result(unsigned warp, const isa::instruction& i, const issue_info& info);
    [[nodiscard]] thread_group group_of(unsigned warp) const noexcept;

    const smx_configuration configuration_;
    const issue_parts parts_;

    scoreboard scoreboard_;
    warp_events events_;
    warp_readiness readiness_;
    scheduler_turns turns_;
    outcome_follower follower_;
    write_back<warp_code> results_;  ///< by the register that it writes
    barrier_waits barriers_;
    warp_moves moves_;
    std::unique_ptr<warp_profile> profile_;  ///< null: nobody asks
    level_meter in_flight_;
    issue_sizes sizes_;

    std::uint64_t edge_ = 0;
    protocol::warp_mask issued_ = 0;  ///< in this cycle
    unsigned memory_results_ = 0;     ///< register writes by memory at this edge
    bool changed_ = false;            ///< the next edge may differ from this one
    bool used_ = false;               ///< results or answers have come, which step (3) makes use of
    transaction_losers nobody_;
    transaction_losers* losers_ = &nobody_;
};

}  // namespace heddle
