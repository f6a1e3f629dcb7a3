// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hw/smx/divergence/formation.h"
#include "hw/smx/execute/execution_parts.h"
#include "hw/smx/fetch/front_end.h"
#include "hw/smx/issue/transaction_losers.h"
#include "hw/smx/issue/warp_moves.h"
#include "hw/smx/tm/tm_unit.h"

namespace heddle {

/// The pipeline's side of transactions, where warps have slots: tx.begin, tx.commit, and lanes that
/// lose. What conflicts, and who runs again, is the business of the tm_unit.
///
/// tx.begin waits until the warp's accesses have ended, saves its registers (in the first attempt;
/// tm.checkpoint_cycles), and waits while another warp of the block runs alone. tx.commit waits
/// until the warp's accesses have ended. Then the attempt is over: the warp goes on behind
/// tx.commit with all its lanes, or lanes get the registers that were saved and start again at
/// tx.begin. If no lane runs any more the attempt is over without tx.commit. A warp that goes to
/// another place fetches there after smx.branch_latency.
class warp_transactions final : public opcode_unit, public transaction_losers {
public:
    /// What it works with; all of it outlives the object.
    struct parts {
        tm_unit& unit;
        execution_parts execution;
        formation& groups;
        warp_paths& paths;
        const warp_moves& moves;
        front_end& fetch;
        warp_waits& waits;
    };
    explicit warp_transactions(const parts& of);

    execution_outcome execute(const issued_group& issued) override;
    void lost(unsigned warp, isa::lane_mask lanes) override;
    /// Before the issue step. True: something has changed.
    bool cycle(std::uint64_t edge) {
        edge_ = edge;
        return (beginning() | in(stage::commits) | in(stage::stranded)) != 0 && advance();
    }
    /// Next edge at which cycle() has something to do without an event from outside.
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept;
    /// For the wait-for report: what the warp does; empty if it runs no transaction.
    [[nodiscard]] std::string waiting_text(unsigned warp) const;

private:
    /// Where a warp is in its transaction. A warp has exactly one stage, and `enter` alone changes
    /// it, with what follows from it: the warp's wait in `warp_waits`, and the phase in which
    /// tm_account counts its cycles.
    enum class stage : std::uint8_t {
        outside,
        begins,        ///< waits in tx.begin of its first attempt
        begins_again,  ///< waits in tx.begin of another one
        runs,
        commits,   ///< waits in tx.commit
        stranded,  ///< no lane is left where the warp is
        restarts,  ///< goes back to tx.begin
    };
    static constexpr std::size_t stages = static_cast<std::size_t>(stage::restarts) + 1;

    void enter(unsigned warp, stage next);
    [[nodiscard]] protocol::warp_mask in(stage s) const noexcept {
        return in_[static_cast<std::size_t>(s)];
    }
    [[nodiscard]] protocol::warp_mask beginning() const noexcept {
        return in(stage::begins) | in(stage::begins_again);
    }
    execution_outcome begin(const issued_group& issued);
    execution_outcome commit(const issued_group& issued);

    bool advance();
    [[nodiscard]] bool drained(unsigned warp) const;
    bool try_begin(unsigned warp);
    bool try_end(unsigned warp);
    bool try_turn(unsigned warp);
    bool undo_private(unsigned warp);
    void restart(unsigned warp);
    void release(unsigned warp);
    void go(unsigned warp, const warp_group& to);
    void tell(unsigned warp, transaction_event what, isa::lane_mask lanes) const;

    const parts parts_;
    tm_engine& engine_;
    std::uint64_t edge_ = 0;
    std::array<stage, protocol::maximum_warps> stage_{};
    std::array<protocol::warp_mask, stages> in_{};  ///< warps by stage, but for outside
    protocol::warp_mask undoing_ = 0;  ///< that commit or are stranded: the attempt is over
    std::array<std::uint64_t, protocol::maximum_warps> due_{};  ///< beginning(): earliest edge
};

}  // namespace heddle
