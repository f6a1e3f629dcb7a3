// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/warp_transactions.h"

#include <algorithm>

#include "models/simt/fault_text.h"

namespace heddle {

using kind = execution_outcome::kind;

namespace {

using phase = tm_account::phase;

/// By warp_transactions::stage.
constexpr struct {
    phase counted_as;
    bool waits;
} stage_rows[] = {{phase::outside, false}, {phase::begin, true},  {phase::begin, true},
                  {phase::code, false},    {phase::commit, true}, {phase::code, true},
                  {phase::code, false}};

}  // namespace

warp_transactions::warp_transactions(const parts& of) : parts_(of), engine_(of.unit.engine()) {}

void warp_transactions::tell(unsigned warp, transaction_event what, isa::lane_mask lanes) const {
    execution_observer* const observer = parts_.execution.observer.get();
    if (observer == nullptr || lanes == 0) return;
    observer->transaction(edge_, warp, what, lanes, parts_.execution.registers);
}

void warp_transactions::enter(unsigned warp, stage next) {
    const auto now = static_cast<std::size_t>(stage_[warp]);
    const auto then = static_cast<std::size_t>(next);
    in_[now] &= ~bits::one(warp);
    in_[then] |= bits::one(warp);
    stage_[warp] = next;
    // Also where another attempt follows: what the accesses of the last one are charged ends there.
    if (stage_rows[now].counted_as != stage_rows[then].counted_as || next == stage::restarts) {
        parts_.unit.account().set(warp, stage_rows[then].counted_as, edge_);
    }
    if (stage_rows[then].waits) {
        parts_.waits.begin(wait_reason::transaction, warp);
    } else {
        parts_.waits.end(wait_reason::transaction, bits::one(warp));
    }
}

// Issue

execution_outcome warp_transactions::execute(const issued_group& issued) {
    return issued.instruction.op == isa::opcode::tx_begin ? begin(issued) : commit(issued);
}

execution_outcome warp_transactions::begin(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const unsigned warp = group.home;
    const bool again = stage_[warp] == stage::restarts;
    due_[warp] = edge_ + 1;
    if (!again) {
        const block_table& blocks = parts_.execution.blocks;
        const auto threads =
            static_cast<std::uint32_t>(blocks.block(group.block).dispatch->kernel->block.count());
        if (parts_.execution.in_transaction(group)) {
            return parts_.execution.fault(issued, bits::first(group.lanes),
                                          simt::in_transaction_text(issued.instruction, group.pc));
        }
        if (threads > transaction_configuration::maximum_items) {
            return parts_.execution.fault(issued, bits::first(group.lanes),
                                          simt::transaction_size_text(threads));
        }
        parts_.groups.mark(warp, group.pc);
        engine_.begin(warp, group.block, blocks.warp(warp).index * parts_.execution.warp_size,
                      group.lanes);
        due_[warp] += parts_.unit.configuration().checkpoint_cycles;
    }
    enter(warp, again ? stage::begins_again : stage::begins);
    if (execution_observer* const observer = parts_.execution.observer.get(); observer != nullptr) {
        observer->executed({edge_, warp, issued.number, group.pc, group.lanes, &issued.instruction},
                           parts_.execution.registers);
    }
    return execution_outcome(kind::waits_for_unit, wait_reason::transaction);
}

execution_outcome warp_transactions::commit(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const unsigned warp = group.home;
    const bool inside = parts_.execution.in_transaction(group);
    if (!inside || !parts_.groups.at_mark(warp) || group.lanes != engine_.active(warp)) {
        return parts_.execution.fault(issued, bits::first(group.lanes),
                                      simt::no_commit_text(inside));
    }
    enter(warp, stage::commits);
    return execution_outcome(kind::waits_in_place, wait_reason::transaction);
}

// Losses

void warp_transactions::lost(unsigned warp, isa::lane_mask lanes) {
    tell(warp, transaction_event::lost, lanes);
    (void)parts_.groups.leave(warp, lanes);
    warp_group& group = parts_.paths.group(warp);
    group.lanes &= ~lanes;
    parts_.moves.touch(warp);
    if (group.lanes != 0 || bits::test(in(stage::commits) | in(stage::stranded), warp)) return;
    enter(warp, stage::stranded);
    parts_.fetch.hold(warp);
}

// What waits

bool warp_transactions::drained(unsigned warp) const {
    return parts_.execution.lsu.outstanding_instructions(access_owner(warp)) == 0 &&
           parts_.moves.rests(warp);
}

bool warp_transactions::advance() {
    bool changed = false;
    // Attempts end before others begin: a warp that has been alone lets the others go on at once.
    bits::for_each(in(stage::commits), [&](unsigned warp) { changed |= try_end(warp); });
    bits::for_each(in(stage::stranded), [&](unsigned warp) { changed |= try_turn(warp); });
    bits::for_each(beginning(), [&](unsigned warp) { changed |= try_begin(warp); });
    return changed;
}

bool warp_transactions::try_begin(unsigned warp) {
    if (edge_ < due_[warp] || !engine_.may_run(warp)) return false;
    if (stage_[warp] == stage::begins) {
        if (!drained(warp)) return false;
        parts_.execution.registers.save(warp);
    }
    engine_.run(warp);
    enter(warp, stage::runs);
    tell(warp, transaction_event::began, engine_.active(warp));
    return true;
}

/// The attempt of a warp ends, if nothing of it is under way; then its losers' private memory gets
/// its old values, which may take several calls.
bool warp_transactions::try_end(unsigned warp) {
    const protocol::warp_mask self = bits::one(warp);
    if ((undoing_ & self) == 0) {
        if (!drained(warp) || !parts_.fetch.may_redirect(warp)) return false;
        const isa::lane_mask commits = engine_.active(warp);
        tell(warp, transaction_event::committed, commits);
        const tm_engine::attempt_end end = engine_.end_attempt(warp);
        for (const transaction_lanes& each : end.losers) lost(each.warp, each.lanes);
        if (end.over) {
            release(warp);
            return true;
        }
        undoing_ |= self;
    }
    if (!undo_private(warp)) return true;
    undoing_ &= ~self;
    restart(warp);
    return true;
}

/// The private memory of the losers becomes what it was, newest store first, as far as the
/// load-store unit has room. True: all of it is.
bool warp_transactions::undo_private(unsigned warp) {
    load_store_unit& lsu = parts_.execution.lsu;
    const block_table& blocks = parts_.execution.blocks;
    while (engine_.undo().restores(warp)) {
        if (!lsu.can_accept()) return false;
        old_words words;
        if (!engine_.undo().next_restored(warp, words)) continue;
        const unsigned slot = blocks.warp(warp).block;
        const protocol::block_dispatch& block = *blocks.block(slot).dispatch;
        lsu.restore({block.launch, block_slot(slot), block.block}, access_owner(warp),
                    warp_slot(warp), words);
    }
    return true;
}

/// No lane is left where the warp is: others run elsewhere, or the attempt is over.
bool warp_transactions::try_turn(unsigned warp) {
    if (engine_.active(warp) == 0 || bits::test(undoing_, warp)) return try_end(warp);
    if (!parts_.fetch.may_redirect(warp)) return false;
    go(warp, parts_.groups.leave(warp, 0));
    enter(warp, stage::runs);
    return true;
}

void warp_transactions::restart(unsigned warp) {
    const isa::lane_mask lanes = engine_.active(warp);
    parts_.execution.registers.restore(warp, lanes);
    tell(warp, transaction_event::restarted, lanes);
    go(warp, parts_.groups.rewind(warp, lanes));
    enter(warp, stage::restarts);
}

void warp_transactions::release(unsigned warp) {
    go(warp, parts_.groups.release(warp, parts_.paths.group(warp).pc + 4));
    enter(warp, stage::outside);
}

void warp_transactions::go(unsigned warp, const warp_group& to) {
    parts_.paths.group(warp) = to;
    parts_.fetch.redirect(warp, edge_);
}

std::uint64_t warp_transactions::next_due(std::uint64_t edge) const noexcept {
    std::uint64_t due = ~std::uint64_t{0};
    bits::for_each(beginning(), [&](unsigned warp) {
        if (due_[warp] > edge) due = std::min(due, due_[warp]);
    });
    return due;
}

std::string warp_transactions::waiting_text(unsigned warp) const {
    if (!bits::test(engine_.inside(), warp)) return {};
    const char* doing = "runs ";
    if (bits::test(beginning(), warp)) doing = "waits at tx.begin ";
    if (bits::test(in(stage::commits), warp)) doing = "waits at tx.commit ";
    if (bits::test(in(stage::stranded), warp)) doing = "has lost and waits to start again ";
    return doing + engine_.waiting_text(warp);
}

}  // namespace heddle
