// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/pipeline_transactions.h"

#include <algorithm>

#include "models/simt/fault_text.h"

namespace heddle {

using kind = execution_outcome::kind;

namespace {

using phase = tm_account::phase;

/// By pipeline_transactions::stage.
constexpr struct {
    phase counted_as;
    bool waits;
} stage_rows[] = {{phase::outside, false}, {phase::begin, true},  {phase::begin, true},
                  {phase::code, false},    {phase::commit, true}, {phase::code, true},
                  {phase::code, false}};

}  // namespace

pipeline_transactions::pipeline_transactions(const parts& of)
    : of_(of),
      engine_(of.unit.engine()),
      stage_(engine_.contexts()),
      in_(stages, context_set(engine_.contexts())),
      undoing_(engine_.contexts()),
      due_(engine_.contexts()) {}

void pipeline_transactions::tell(unsigned context, transaction_event what,
                                 isa::lane_mask lanes) const {
    execution_observer* const observer = of_.execution.observer.get();
    if (observer == nullptr || lanes == 0) return;
    for_each_home(carrier_of(context).homes, lanes, of_.execution.warp_size,
                  [&](unsigned warp, isa::lane_mask home_lanes) {
                      observer->transaction(edge_, warp, what, home_lanes, of_.execution.registers);
                  });
}

void pipeline_transactions::enter(unsigned context, stage next) {
    const auto now = static_cast<std::size_t>(stage_[context]);
    const auto then = static_cast<std::size_t>(next);
    in_[set_of(stage_[context])].erase(context);
    in_[set_of(next)].insert(context);
    stage_[context] = next;
    // Also where another attempt follows: what the accesses of the last one are charged ends there.
    if (stage_rows[now].counted_as != stage_rows[then].counted_as || next == stage::restarts) {
        of_.unit.account().set(context, stage_rows[then].counted_as, edge_);
    }
    waits(context, stage_rows[then].waits);
    waits_ =
        !in(stage::begins).empty() || !in(stage::commits).empty() || !in(stage::stranded).empty();
}

// Issue

execution_outcome pipeline_transactions::execute(const issued_group& issued) {
    return issued.instruction.op == isa::opcode::tx_begin ? begin(issued) : commit(issued);
}

execution_outcome pipeline_transactions::begin(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const std::uint64_t result = std::max(edge_ + 1, result_of(issued));
    if (group.in_transaction()) {
        const unsigned context = group.transaction;
        if (!is(context, stage::restarts)) {
            return of_.execution.fault(issued, bits::first(group.lanes),
                                       simt::in_transaction_text(issued.instruction, group.pc));
        }
        due_[context] = result;
        enter(context, stage::begins_again);
        return execution_outcome(kind::waits_for_unit, wait_reason::transaction);
    }
    const block_table& blocks = of_.execution.blocks;
    const auto threads =
        static_cast<std::uint32_t>(blocks.block(group.block).dispatch->kernel->block.count());
    if (threads > transaction_configuration::maximum_items) {
        return of_.execution.fault(issued, bits::first(group.lanes),
                                   simt::transaction_size_text(threads));
    }
    if (const unsigned context = context_for(issued); context != no_context) {
        start(context, group.pc, group.lanes, result + checkpoint_cycles());
    }
    return execution_outcome(kind::waits_for_unit, wait_reason::transaction);
}

void pipeline_transactions::start(unsigned context, std::uint32_t pc, isa::lane_mask lanes,
                                  std::uint64_t due) {
    const carrier of = carrier_of(context);
    of_.groups.mark(context, pc);
    engine_.begin(context, of.block, of.first_item, lanes);
    due_[context] = due;
    enter(context, stage::begins);
}

execution_outcome pipeline_transactions::commit(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const bool inside = group.in_transaction();
    if (!inside || !of_.groups.at_mark(group.transaction) ||
        group.lanes != engine_.active(group.transaction)) {
        return of_.execution.fault(issued, bits::first(group.lanes), simt::no_commit_text(inside));
    }
    due_[group.transaction] = result_of(issued);
    enter(group.transaction, stage::commits);
    return execution_outcome(kind::waits_in_place, wait_reason::transaction);
}

// Losses

void pipeline_transactions::lost(unsigned context, isa::lane_mask lanes) {
    tell(context, transaction_event::lost, lanes);
    (void)of_.groups.leave(context, lanes);
    warp_group& left = group(context);
    left.lanes &= ~lanes;
    const bool strands =
        left.lanes == 0 && !is(context, stage::commits) && !is(context, stage::stranded);
    if (strands) enter(context, stage::stranded);
    shrunk(context, strands);
}

// What waits

bool pipeline_transactions::advance() {
    bool changed = false;
    // Attempts end before others begin: a group that has been alone lets the others go on at once.
    in(stage::commits).for_each([&](unsigned context) { changed |= try_end(context); });
    in(stage::stranded).for_each([&](unsigned context) { changed |= try_turn(context); });
    in(stage::begins).for_each([&](unsigned context) { changed |= try_begin(context); });
    return changed;
}

bool pipeline_transactions::try_begin(unsigned context) {
    if (edge_ < due_[context] || !engine_.may_run(context)) return false;
    if (is(context, stage::begins)) {
        if (!drained(context)) return false;
        for_each_home(carrier_of(context).homes, engine_.active(context), of_.execution.warp_size,
                      [&](unsigned warp, isa::lane_mask lanes) {
                          of_.execution.registers.save(warp, lanes);
                      });
    }
    engine_.run(context);
    enter(context, stage::runs);
    tell(context, transaction_event::began, engine_.active(context));
    runs(context);
    return true;
}

/// The attempt of a group ends, if nothing of it is under way; then its losers' private memory gets
/// its old values, which may take several calls.
bool pipeline_transactions::try_end(unsigned context) {
    if (!undoing_.test(context)) {
        if (edge_ < due_[context] || !drained(context) || !may_go(context)) return false;
        const isa::lane_mask commits = engine_.active(context);
        tell(context, transaction_event::committed, commits);
        const tm_engine::attempt_end end = engine_.end_attempt(context);
        for (const transaction_lanes& each : end.losers) lost(each.warp, each.lanes);
        if (end.over) {
            const warp_group then = of_.groups.release(context, group(context).pc + 4);
            enter(context, stage::outside);
            go(context, then, true);
            return true;
        }
        undoing_.insert(context);
    }
    if (!undo_private(context)) return true;
    undoing_.erase(context);
    restart(context);
    return true;
}

/// The private memory of the losers becomes what it was, newest store first, as far as the
/// load-store unit has room. True: all of it is.
bool pipeline_transactions::undo_private(unsigned context) {
    load_store_unit& lsu = of_.execution.lsu;
    const carrier of = carrier_of(context);
    while (engine_.undo().restores(context)) {
        if (!lsu.can_accept()) return false;
        old_words words;
        if (!engine_.undo().next_restored(context, words)) continue;
        const protocol::block_dispatch& block = *of_.execution.blocks.block(of.block).dispatch;
        const thread_home lowest =
            home_of(of.homes, bits::first(words.lanes), of_.execution.warp_size);
        lsu.restore({block.launch, block_slot(of.block), block.block}, owner(context),
                    warp_slot(lowest.warp), words);
    }
    return true;
}

/// No lane is left where the group is: others run elsewhere, or the attempt is over.
bool pipeline_transactions::try_turn(unsigned context) {
    if (engine_.active(context) == 0 || undoing_.test(context)) return try_end(context);
    if (!may_go(context)) return false;
    const warp_group next = of_.groups.leave(context, 0);
    enter(context, stage::runs);
    go(context, next, false);
    return true;
}

void pipeline_transactions::restart(unsigned context) {
    const isa::lane_mask lanes = engine_.active(context);
    for_each_home(carrier_of(context).homes, lanes, of_.execution.warp_size,
                  [&](unsigned warp, isa::lane_mask home_lanes) {
                      of_.execution.registers.restore(warp, home_lanes);
                  });
    tell(context, transaction_event::restarted, lanes);
    const warp_group again = of_.groups.rewind(context, lanes);
    enter(context, stage::restarts);
    go(context, again, false);
}

std::uint64_t pipeline_transactions::next_due(std::uint64_t edge) const noexcept {
    std::uint64_t due = ~std::uint64_t{0};
    for (const stage each : {stage::begins, stage::commits}) {
        in(each).for_each([&](unsigned context) {
            if (due_[context] > edge) due = std::min(due, due_[context]);
        });
    }
    return due;
}

std::string pipeline_transactions::waiting_text(unsigned context) const {
    if (!engine_.inside().test(context)) return {};
    const char* doing = "runs ";
    if (in(stage::begins).test(context)) doing = "waits at tx.begin ";
    if (is(context, stage::commits)) doing = "waits at tx.commit ";
    if (is(context, stage::stranded)) doing = "has lost and waits to start again ";
    return doing + engine_.waiting_text(context);
}

}  // namespace heddle
