// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/smx/divergence/formation.h"
#include "hw/smx/execute/execution_parts.h"
#include "hw/smx/issue/transaction_losers.h"
#include "hw/smx/tm/tm_unit.h"

namespace heddle {

/// The pipeline's side of transactions: tx.begin, tx.commit, and lanes that lose. What conflicts,
/// and who runs again, is the business of the tm_unit. What runs a transaction is a group of
/// threads with a context of the tm_engine; how a front has it is the derived class' part.
///
/// tx.begin waits until the group's accesses have ended, saves its registers (in the first attempt;
/// tm.checkpoint_cycles), and waits while another group of the block runs alone. tx.commit waits
/// until the group's accesses have ended. Then the attempt is over: the group goes on behind
/// tx.commit with all its lanes, or lanes get the registers that were saved and start again at
/// tx.begin. If no lane runs any more the attempt is over without tx.commit.
class pipeline_transactions : public opcode_unit, public transaction_losers {
public:
    execution_outcome execute(const issued_group& issued) final;
    /// Of a context.
    void lost(unsigned context, isa::lane_mask lanes) override;
    /// Before the issue step. True: something has changed.
    bool cycle(std::uint64_t edge) {
        edge_ = edge;
        return waits_ && advance();
    }
    /// Next edge at which cycle() has something to do without an event from outside.
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept;
    /// For the wait-for report: what the group does; empty if it runs no transaction.
    [[nodiscard]] std::string waiting_text(unsigned context) const;

protected:
    /// What it works with; all of it outlives the object.
    struct parts {
        tm_unit& unit;
        execution_parts execution;
        formation& groups;  ///< by context
    };
    explicit pipeline_transactions(const parts& of);

    /// The threads of a context, which are those of its lanes.
    struct carrier {
        unsigned block;
        unsigned first_item;  ///< of the block: that of lane 0
        thread_homes homes;
    };
    [[nodiscard]] virtual carrier carrier_of(unsigned context) const = 0;
    /// Of the accesses of its threads.
    [[nodiscard]] virtual access_owner owner(unsigned context) const = 0;
    /// The threads that run now, and where.
    [[nodiscard]] virtual warp_group& group(unsigned context) = 0;
    /// Whether nothing of the group is under way: no access, no result.
    [[nodiscard]] virtual bool drained(unsigned context) const = 0;
    /// Whether the group can be sent to another place now.
    [[nodiscard]] virtual bool may_go(unsigned context) const = 0;
    /// It goes on there: in its transaction, or, `over`, behind it.
    virtual void go(unsigned context, const warp_group& to, bool over) = 0;
    /// It goes on behind tx.begin.
    virtual void runs(unsigned /*context*/) {}
    /// It waits for its transaction, or does so no longer.
    virtual void waits(unsigned context, bool on) = 0;
    /// Lanes of the group have left it; none is left if it is stranded.
    virtual void shrunk(unsigned context, bool stranded) = 0;
    /// A context for a group that begins a transaction; none: the group waits, and start() follows.
    static constexpr unsigned no_context = ~0U;
    [[nodiscard]] virtual unsigned context_for(const issued_group& issued) = 0;
    /// Edge before which what was issued is not over.
    [[nodiscard]] virtual std::uint64_t result_of(const issued_group& /*issued*/) const {
        return 0;
    }
    /// cycle(), beyond what all fronts have.
    virtual bool advance();

    /// A transaction of the group at its tx.begin begins; `due`: edge of its first attempt.
    void start(unsigned context, std::uint32_t pc, isa::lane_mask lanes, std::uint64_t due);
    [[nodiscard]] std::uint64_t edge() const noexcept { return edge_; }
    [[nodiscard]] unsigned checkpoint_cycles() const noexcept {
        return of_.unit.configuration().checkpoint_cycles;
    }
    [[nodiscard]] const execution_parts& execution() const noexcept { return of_.execution; }

private:
    /// Where a group is in its transaction. It has exactly one stage, and `enter` alone changes it,
    /// with what follows from it: that the group waits, and the phase in which tm_account counts
    /// its cycles.
    enum class stage : std::uint8_t {
        outside,
        begins,        ///< waits in tx.begin of its first attempt
        begins_again,  ///< waits in tx.begin of another one
        runs,
        commits,   ///< waits in tx.commit
        stranded,  ///< no lane is left where the group is
        restarts,  ///< goes back to tx.begin
    };
    static constexpr std::size_t stages = static_cast<std::size_t>(stage::restarts) + 1;

    void enter(unsigned context, stage next);
    /// Attempts that begin are one set.
    [[nodiscard]] static std::size_t set_of(stage s) noexcept {
        return static_cast<std::size_t>(s == stage::begins_again ? stage::begins : s);
    }
    [[nodiscard]] const context_set& in(stage s) const noexcept { return in_[set_of(s)]; }
    [[nodiscard]] bool is(unsigned context, stage s) const noexcept { return stage_[context] == s; }
    execution_outcome begin(const issued_group& issued);
    execution_outcome commit(const issued_group& issued);

    bool try_begin(unsigned context);
    bool try_end(unsigned context);
    bool try_turn(unsigned context);
    bool undo_private(unsigned context);
    void restart(unsigned context);
    void tell(unsigned context, transaction_event what, isa::lane_mask lanes) const;

    const parts of_;
    tm_engine& engine_;
    std::uint64_t edge_ = 0;
    std::vector<stage> stage_;
    std::vector<context_set> in_;     ///< by set_of()
    context_set undoing_;             ///< that commit or are stranded: the attempt is over
    std::vector<std::uint64_t> due_;  ///< that begin or commit: earliest edge
    bool waits_ = false;  ///< a group begins, commits or is stranded: advance() may end that
};

}  // namespace heddle
